import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { isFunction, isSymbolName, membersOf, toJsonType, type Members } from "./members.js";
import { isLibraryNode, isOwnNode } from "../../project/nodes.js";
import { withTypeNode } from "../type-sites.js";
import { deriveProperty, type Property } from "./properties.js";
import { isUnresolved } from "./type-variables.js";
import { indexConversion, indexKeywords, indexSignatures, type IndexConversion } from "./records.js";

const SOME_OBJECT: JsonSchema = { type: "object", properties: {} };
const SOME_ARRAY: JsonSchema = { type: "array", items: {} };

/** `object` is anything but a primitive; the literal `{}` is anything but `null`. */
export const structureless: TypeRule = (type) => {
  if (type.flags & ts.TypeFlags.NonPrimitive) return { schema: { anyOf: [SOME_OBJECT, SOME_ARRAY] } };
  if (!isEmptyLiteral(type)) return undefined;
  return { schema: { anyOf: [{ type: ["string", "number", "boolean"] }, SOME_OBJECT, SOME_ARRAY] } };
};

/** `{}` as written. Empty interfaces, classes and mapped types are meant as objects without members. */
export function isEmptyLiteral(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  const { objectFlags, symbol } = type as ts.ObjectType;
  if (
    !(objectFlags & ts.ObjectFlags.Anonymous) ||
    objectFlags & (ts.ObjectFlags.Mapped | ts.ObjectFlags.ObjectLiteral)
  ) {
    return false;
  }
  if (symbol && !(symbol.flags & ts.SymbolFlags.TypeLiteral)) return false;
  return type.getProperties().length === 0 &&
    type.getCallSignatures().length + type.getConstructSignatures().length === 0
    ? !type.getStringIndexType() && !type.getNumberIndexType() && !hasIndex(type)
    : false;
}

function hasIndex(type: ts.Type): boolean {
  return ((type as ts.Type & { indexInfos?: unknown[] }).indexInfos ?? []).length > 0;
}

/** What can be called is no data, whatever properties it has besides. */
export const functions: TypeRule = (type, site, derivation) => {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  if (type.getCallSignatures().length === 0 && type.getConstructSignatures().length === 0) return undefined;
  derivation.report("type-function", site.node, {
    where: derivation.where(site),
    type: derivation.show(type),
  });
  return UNSUPPORTED;
};

/** Interfaces, classes, literals, mapped types, records and intersections of them. */
export const objects: TypeRule = (type, site, derivation) =>
  type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)
    ? objectOf(type, site, derivation)
    : undefined;

function isText(type: ts.Type | undefined): boolean {
  return type !== undefined && (type.flags & ts.TypeFlags.StringLike) !== 0;
}

/** The fragment of an object type; inputs are closed, outputs open. */
export function objectOf(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const { checker, direction, report } = derivation;
  const json = direction === "output" && !site.isJson ? toJsonType(type, derivation) : undefined;
  // `toJSON(): this` says nothing but what the object is.
  if (json && json !== type)
    return derivation.derive(json, { ...withTypeNode(site, undefined), isJson: true });
  if (hasOpenKeys(type, checker)) {
    report("type-unresolved", site.node, { where: derivation.where(site), type: derivation.show(type) });
    return UNSUPPORTED;
  }
  const members = membersOf(type, site, derivation);
  const method = behaviour(type, members, checker);
  if (method !== undefined) {
    report("type-behaviour", site.node, {
      where: derivation.where(site),
      type: derivation.show(type),
      method,
      isText: isText(toJsonType(type, derivation)),
    });
    return UNSUPPORTED;
  }
  const mapped = mappedClass(type, members);
  if (mapped !== undefined) {
    report("type-not-serializable", site.node, {
      where: derivation.where(site),
      type: `\`${derivation.show(type)}\``,
      reason: `a mapped type that turns the methods of \`${mapped}\` into data`,
      edit: `Leave \`${mapped}\` as it is in the mapped type: \`T extends ${mapped} ? T : …\`.`,
    });
    return UNSUPPORTED;
  }
  if (direction === "input") warnOfMissing(type, members, site, derivation);
  const index = indexSignatures(type, site, derivation);
  const data =
    direction === "output" ? members.data.filter((symbol) => !isToJson(symbol, checker)) : members.data;
  const derived = data.map((symbol) => deriveProperty(symbol, type, site, derivation));
  const properties = derived.filter((property) => property !== undefined);
  if (index === "unsupported" || properties.some(({ fragment }) => fragment === UNSUPPORTED))
    return UNSUPPORTED;
  const hopeless = properties.find(({ fragment }) => fragment === NEVER);
  if (hopeless)
    return impossible(type, site, derivation, `its property \`${hopeless.name}\` has no possible value`);
  if (direction === "input" && !checkPropertyNames(properties, site, derivation)) return UNSUPPORTED;
  if (!index) return objectFragment(properties, closing(direction), undefined);
  const named = new Set(properties.map(({ name }) => name));
  const without = checker
    .getPropertiesOfType(type)
    .flatMap(({ name, escapedName }) => (isSymbolName(escapedName) || named.has(name) ? [] : [name]));
  return objectFragment(
    properties,
    indexKeywords(index, [...named], without, derivation),
    indexConversion(index),
  );
}

/** What JSON asks, and does not carry. */
function isToJson(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.name === "toJSON" && isFunction(checker.getTypeOfSymbol(symbol));
}

function closing(direction: Derivation["direction"]): JsonSchema {
  return direction === "input" ? { additionalProperties: false } : {};
}

/** Puts properties together; the arguments of a signature are such an object too. */
export function objectFragment(
  properties: readonly Property[],
  keywords: JsonSchema,
  others: IndexConversion | undefined,
): SchemaFragment {
  const required = properties.filter((property) => property.required).map(({ name }) => name);
  const conversions = properties.flatMap(({ name, fragment }) =>
    // Beside members of any name, those that are not converted have to be named too.
    fragment.conversion || others ? [[name, fragment.conversion ?? null] as const] : [],
  );
  const conversion: Conversion | undefined =
    conversions.length > 0 || others
      ? { kind: "object", properties: Object.fromEntries(conversions), ...others }
      : undefined;
  return {
    schema: {
      type: "object",
      // `fromEntries` makes `__proto__` a property like any other.
      properties: Object.fromEntries(properties.map(({ name, fragment }) => [name, fragment.schema])),
      ...(required.length > 0 && { required }),
      ...keywords,
    },
    ...(conversion && { conversion }),
  };
}

/**
 * The method that shows a type to live by its behaviour: a service, a stream, a connection. Of the author's own
 * types that is one without data; the members of foreign types the author cannot change, so any method will do.
 */
function behaviour(type: ts.Type, { data, methods }: Members, checker: ts.TypeChecker): string | undefined {
  const functions = data.filter((symbol) => isFunction(checker.getTypeOfSymbol(symbol)));
  const [first] = [...methods, ...functions.filter((symbol) => !(symbol.flags & ts.SymbolFlags.Optional))];
  if (!first) return undefined;
  const isOwn = type.symbol?.declarations?.some((declaration) => isOwnNode(declaration)) ?? false;
  if (!isOwn && functions.includes(first)) return first.name;
  const hasData = data.length > functions.length || checker.getIndexInfosOfType(type).length > 0;
  return hasData || methods.length + functions.length < 2 - Number(methods.length > 0)
    ? undefined
    : first.name;
}

/** A mapped type over a type parameter, such as `Record<K, string>`: the checker gives it no members at all. */
function hasOpenKeys(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)) return false;
  if (checker.getPropertiesOfType(type).length > 0) return false;
  // Known to the checker from the moment it has been asked for the properties.
  const { constraintType } = type as { constraintType?: ts.Type };
  return constraintType !== undefined && isUnresolved(constraintType);
}

/** The class of the library that a mapped type has taken apart: of `Partial<Date>`, `Date`. */
function mappedClass(type: ts.Type, { data }: Members): string | undefined {
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)) return undefined;
  const methods = data.flatMap((symbol) => symbol.declarations ?? []).filter(ts.isMethodSignature);
  const owner = methods.find((each) => isLibraryNode(each))?.parent;
  return owner && ts.isInterfaceDeclaration(owner) ? owner.name.text : undefined;
}

/** A handler that takes a class may use what no client can send. */
function warnOfMissing(
  type: ts.Type,
  { methods: [method], hidden: [member] }: Members,
  site: TypeSite,
  derivation: Derivation,
): void {
  const is = { where: derivation.where(site), type: derivation.show(type) };
  if (method) derivation.report("type-methods-missing", site.node, { ...is, method: method.name });
  else if (member) {
    const isAccessor = (member.flags & ts.SymbolFlags.Accessor) !== 0;
    const [declaration] = member.declarations ?? [];
    const name = (declaration && ts.getNameOfDeclaration(declaration)?.getText()) ?? member.name;
    derivation.report("type-members-missing", site.node, { ...is, member: name, isAccessor });
  }
}

/** A type that is written as if it had values, and has none: a mistake, but for one alternative among others. */
export function impossible(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
  because?: string,
): SchemaFragment {
  if (site.inUnion) return NEVER;
  derivation.report("type-never", site.node, {
    where: derivation.where(site),
    type: derivation.show(type),
    ...(because !== undefined && { because }),
  });
  return UNSUPPORTED;
}

/** Anthropic's API refuses a whole session for one property name outside this. */
const PORTABLE_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** False when one of the names cannot be sent. */
export function checkPropertyNames(
  properties: readonly Property[],
  site: TypeSite,
  derivation: Derivation,
): boolean {
  for (const { name, at } of properties) {
    if (name === "__proto__") {
      derivation.report("type-not-serializable", at, {
        where: derivation.where(site),
        type: "an object with the property `__proto__`",
        reason: "which validators treat as undeclared",
        edit: "Rename the property.",
      });
      return false;
    }
    if (PORTABLE_NAME.test(name)) continue;
    derivation.report("type-property-name", at, { where: derivation.where(site), name });
  }
  return true;
}
