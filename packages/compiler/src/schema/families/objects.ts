import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { findInjectable } from "./injected.js";
import {
  isFunction,
  isSymbolName,
  classifyMembers,
  describeType,
  getToJsonType,
  getWrittenName,
  yieldsValues,
  type Members,
} from "./members.js";
import { isLibraryNode, isOwnNode } from "../../typescript/nodes.js";
import { withWritten } from "../derivation/type-sites.js";
import { deriveProperty, type Property } from "./properties.js";
import { isUnresolved } from "./type-variables.js";
import {
  toIndexConversion,
  toIndexKeywords,
  deriveIndexSignatures,
  type IndexConversion,
} from "./records.js";

/** Rejects callable types, even if they also have properties. */
export const functions: TypeRule = (type, site, derivation) => {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  if (type.getCallSignatures().length === 0 && type.getConstructSignatures().length === 0) return undefined;
  derivation.report("type-function", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
  });
  return UNSUPPORTED;
};

/** Derives interfaces, classes, literals, mapped types, records, and intersections of them. */
export const objects: TypeRule = (type, site, derivation) =>
  type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)
    ? deriveObject(type, site, derivation)
    : undefined;

/** Returns the fragment of an object type. Inputs are closed, and outputs open. */
function deriveObject(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const { checker, direction, report } = derivation;
  const json = direction === "output" && !site.isJson ? getToJsonType(type, derivation) : undefined;
  // `toJSON(): this` returns the object type itself.
  if (json && json !== type)
    return derivation.derive(json, { ...withWritten(site, undefined), isJson: true });
  if (hasOpenKeys(type, checker)) {
    report("type-unresolved", site.node, {
      where: derivation.describeSite(site),
      type: derivation.formatType(type),
      hasOpenKeys: true,
    });
    return UNSUPPORTED;
  }
  const members = classifyMembers(type, site, derivation);
  const method = findBehavior(type, members, checker);
  if (method !== undefined) {
    report("type-has-methods", site.node, {
      ...describeType(type, site, derivation),
      method,
      isStream: yieldsValues(type),
      injected: findInjectable(type, derivation.cache),
    });
    return UNSUPPORTED;
  }
  const mapped = findMappedClass(type, members);
  if (mapped !== undefined) {
    report("type-not-serializable", site.node, {
      where: derivation.describeSite(site),
      type: `\`${derivation.formatType(type)}\``,
      reason: `a mapped type that turns the methods of \`${mapped.name}\` into data`,
      edit: `Leave \`${mapped.name}\` as it is in the mapped type: \`T extends ${mapped.text} ? T : …\`.`,
    });
    return UNSUPPORTED;
  }
  if (direction === "input") warnAboutMissingMembers(type, members, site, derivation);
  const index = deriveIndexSignatures(type, site, derivation);
  const data =
    direction === "output" ? members.data.filter((symbol) => !isToJson(symbol, checker)) : members.data;
  const derived = data.map((symbol) => deriveProperty(symbol, type, site, derivation));
  const properties = derived.filter((property) => property !== undefined);
  if (index === "unsupported" || properties.some(({ fragment }) => fragment === UNSUPPORTED))
    return UNSUPPORTED;
  const impossibleProperty = properties.find(({ fragment }) => fragment === NEVER);
  if (impossibleProperty)
    return reportImpossible(
      type,
      site,
      derivation,
      `its property \`${impossibleProperty.name}\` has no possible value`,
    );
  const malformed = properties.find(({ name }) => /\p{Surrogate}/u.test(name));
  if (malformed) {
    report("type-not-serializable", malformed.at, {
      where: derivation.describeSite(site),
      type: `an object with the property \`${JSON.stringify(malformed.name)}\``,
      reason: "which is not valid Unicode text",
      edit: "Rename the property.",
    });
    return UNSUPPORTED;
  }
  if (direction === "input" && !checkPropertyNames(properties, site, derivation)) return UNSUPPORTED;
  if (properties.length === 0 && !index && selectsFromUnion(type)) {
    const union = { where: derivation.describeSite(site), type: derivation.formatType(type) };
    report("type-empty-object", site.node, { union });
  }
  // If all members lack a value, are private, have symbols as keys, or are omitted, as in `{ token?: never }`, results are empty,
  // unlike those of the type `{}`.
  const lacksMembers =
    isMapped(type) ||
    type.isClassOrInterface() ||
    type.getProperties().length > 0 ||
    checker.getIndexInfosOfType(type).length > 0;
  const isClosed = direction === "input" || (properties.length === 0 && lacksMembers);
  if (!index)
    return createObjectFragment(properties, isClosed ? { additionalProperties: false } : {}, undefined);
  const named = new Set(properties.map(({ name }) => name));
  const forbiddenNames = checker
    .getPropertiesOfType(type)
    .flatMap(({ name, escapedName }) => (isSymbolName(escapedName) || named.has(name) ? [] : [name]));
  return createObjectFragment(
    properties,
    toIndexKeywords(index, [...named], forbiddenNames, derivation),
    toIndexConversion(index),
  );
}

/** Returns whether a member is a `toJSON` function, which `JSON.stringify` calls but does not serialize. */
function isToJson(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.name === "toJSON" && isFunction(checker.getTypeOfSymbol(symbol));
}

/** Combines properties into the fragment of an object, such as the arguments of a method. */
export function createObjectFragment(
  properties: readonly Property[],
  keywords: JsonSchema,
  others: IndexConversion | undefined,
): SchemaFragment {
  const required = properties.filter((property) => property.required).map(({ name }) => name);
  const conversions = properties.flatMap(({ name, fragment }) =>
    // If members may have any name, those without a conversion must be listed too.
    fragment.conversion || others ? [[name, fragment.conversion ?? null] as const] : [],
  );
  const conversion: Conversion | undefined =
    conversions.length > 0 || others
      ? { kind: "object", properties: Object.fromEntries(conversions), ...others }
      : undefined;
  return {
    schema: {
      type: "object",
      // `fromEntries` makes `__proto__` an ordinary property.
      properties: Object.fromEntries(properties.map(({ name, fragment }) => [name, fragment.schema])),
      ...(required.length > 0 && { required }),
      ...keywords,
    },
    ...(conversion && { conversion }),
  };
}

/**
 * Returns the method that marks a type as behavior, such as a service, a stream, or a connection. An author's own type
 * is behavior only if it has no data. The author cannot change foreign types, so any required function property marks
 * one of those, and a class or interface that extends one.
 */
function findBehavior(
  type: ts.Type,
  { data, methods }: Members,
  checker: ts.TypeChecker,
): string | undefined {
  const functions = data.filter((symbol) => isFunction(checker.getTypeOfSymbol(symbol)));
  const required = functions.find((symbol) => !(symbol.flags & ts.SymbolFlags.Optional));
  const isOwn = type.symbol?.declarations?.some((declaration) => isOwnNode(declaration)) ?? false;
  if (!isOwn && required) return required.name;
  const inherited = type.isClassOrInterface() ? functions.find(isInherited) : undefined;
  if (inherited) return inherited.name;
  const keyed = methods.find(({ escapedName }) => isSymbolName(escapedName));
  // Authors know that a class has methods. An interface or a literal that has one under a symbol describes its behavior.
  if (keyed && !type.isClass()) return getWrittenName(keyed);
  const first = methods[0] ?? required;
  if (!first) return undefined;
  const hasData = data.length > functions.length || checker.getIndexInfosOfType(type).length > 0;
  return hasData || methods.length + functions.length < 2 - Number(methods.length > 0)
    ? undefined
    : getWrittenName(first);
}

/** Returns whether a foreign type declares a member, and requires it. */
function isInherited({ flags, declarations = [] }: ts.Symbol): boolean {
  return !(flags & ts.SymbolFlags.Optional) && declarations.some((declaration) => !isOwnNode(declaration));
}

/**
 * Returns whether a type is mapped over a type parameter, such as `Record<K, string>`, so that the checker lists no members.
 */
function hasOpenKeys(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!isMapped(type)) return false;
  if (checker.getPropertiesOfType(type).length > 0) return false;
  // The checker sets `constraintType` when it resolves the properties.
  const { constraintType } = type as { constraintType?: ts.Type };
  return constraintType !== undefined && isUnresolved(constraintType);
}

function isMapped(type: ts.Type): boolean {
  return ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
}

/** Returns whether a type is a selection from the common members of a union, such as `Omit<A | B, "kind">`. */
function selectsFromUnion(type: ts.Type): boolean {
  if (!isMapped(type)) return false;
  // The checker sets `modifiersType` when it resolves the members.
  const { modifiersType } = type as { modifiersType?: ts.Type };
  return (
    modifiersType?.isUnion() === true && modifiersType.types.every((each) => each.getProperties().length > 0)
  );
}

/**
 * Returns the library class that a mapped type has expanded: for `Partial<Date>`, `Date`. `text` is a type of all its
 * instances, such as `Set<any>`.
 */
function findMappedClass(type: ts.Type, { data }: Members): { name: string; text: string } | undefined {
  if (!isMapped(type)) return undefined;
  const methods = data
    .flatMap((symbol) => symbol.declarations ?? [])
    .filter((each) => ts.isMethodSignature(each) || ts.isMethodDeclaration(each));
  const owner = methods.find((each) => isLibraryNode(each))?.parent;
  if (!owner || !(ts.isInterfaceDeclaration(owner) || ts.isClassDeclaration(owner)) || !owner.name)
    return undefined;
  const { name, typeParameters = [] } = owner;
  const typeArguments = typeParameters.map(() => "any").join(", ");
  return { name: name.text, text: typeArguments === "" ? name.text : `${name.text}<${typeArguments}>` };
}

/** Warns about methods and other members of a class that the handler may use but no client can send. */
function warnAboutMissingMembers(
  type: ts.Type,
  { methods: [method], hidden: [member] }: Members,
  site: TypeSite,
  derivation: Derivation,
): void {
  if (!method && !member) return;
  const parameters = describeType(type, site, derivation);
  if (method)
    derivation.report("type-methods-missing", site.node, { ...parameters, method: getWrittenName(method) });
  else if (member) {
    const isAccessor = (member.flags & ts.SymbolFlags.Accessor) !== 0;
    const name = getWrittenName(member);
    derivation.report("type-members-missing", site.node, { ...parameters, member: name, isAccessor });
  }
}

/** Reports a type that no value satisfies, unless it is an alternative of a union. */
export function reportImpossible(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
  because?: string,
): SchemaFragment {
  if (site.inUnion) return NEVER;
  derivation.report("type-never", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
    ...(because !== undefined && { because }),
  });
  return UNSUPPORTED;
}

/** The pattern of portable property names. Anthropic's API rejects a whole session if one name does not match it. */
const PORTABLE_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Reports names that are not portable, and returns false if one cannot be sent. */
export function checkPropertyNames(
  properties: readonly Property[],
  site: TypeSite,
  derivation: Derivation,
): boolean {
  for (const { name, at } of properties) {
    if (name === "__proto__") {
      derivation.report("type-not-serializable", at, {
        where: derivation.describeSite(site),
        type: "an object with the property `__proto__`",
        reason: "which validators treat as undeclared",
        edit: "Rename the property.",
      });
      return false;
    }
    if (PORTABLE_NAME.test(name)) continue;
    derivation.report("type-property-name", at, { where: derivation.describeSite(site), name });
  }
  return true;
}
