import type { JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { allowNull } from "../derivation/join.js";
import { deriveElement } from "./arrays.js";
import { FILE_KEYWORD, FILE_NOTE } from "../../json-schema/file-keyword.js";
import { getLiteralValue } from "../../typescript/literal-value.js";
import { isScalarSchema } from "../../json-schema/scalar-schema.js";
import { isLibraryNode } from "../../typescript/nodes.js";
import { getNameConstraints } from "./records.js";
import { isAnyKey } from "./template-literals.js";
import { UNSUPPORTED_TYPES } from "./unsupported-types.js";
import { isAbsent, mayBeAbsent } from "../../typescript/type-identity.js";
import { getBases, isClassOrInterface, NO_BINDINGS, type WrittenType } from "../../syntax/type-syntax.js";
import { nestSite, withWritten } from "../derivation/type-sites.js";

/** The fragment of bytes. `byte` is the specification's own name for base64. */
const BYTES: SchemaFragment = {
  schema: { type: "string", format: "byte", contentEncoding: "base64" },
  conversion: { kind: "bytes" },
};

/** The fragment of a file in arguments. */
const FILE: SchemaFragment = {
  schema: { type: "string", contentEncoding: "base64", [FILE_KEYWORD]: {}, description: FILE_NOTE },
  conversion: { kind: "file" },
  note: FILE_NOTE,
};

type Builder = (type: ts.Type, site: TypeSite, derivation: Derivation) => SchemaFragment;

/**
 * Builders for library classes that JSON represents in another form, by name: `Date`, or `Intl.Locale` in a namespace.
 */
const BUILDERS: Record<string, Builder> = {
  Date: () => ({ schema: { type: "string", format: "date-time" }, conversion: { kind: "date" } }),
  URL: () => ({ schema: { type: "string", format: "uri" }, conversion: { kind: "url" } }),
  RegExp: deriveRegExp,
  Uint8Array: () => BYTES,
  Buffer: () => BYTES,
  Blob: deriveFile,
  File: deriveFile,
  Set: deriveSet,
  ReadonlySet: deriveSet,
  Map: deriveMap,
  ReadonlyMap: deriveMap,
};

/** Derives types that TypeScript or Node declares, identified by their symbol. An author's own `Date` is not one. */
export const libraryTypes: TypeRule = (type, site, derivation) => {
  const name = findKnownName(type);
  if (name === undefined) {
    const base = findExtendedLibraryType(type, derivation.checker);
    const [node] = type.symbol?.declarations?.filter(isClassOrInterface).flatMap(getBases) ?? [];
    return base && derivation.derive(base, withWritten(site, node && { node, bindings: NO_BINDINGS }));
  }
  const build = BUILDERS[name];
  if (build) return build(type, site, derivation);
  const { report } = derivation;
  const shown = derivation.formatType(type);
  if (name === "Promise" || name === "PromiseLike") {
    const awaited = derivation.checker.getAwaitedType(type) ?? type;
    const parameters = {
      where: derivation.describeSite(site),
      type: shown,
      awaited: derivation.formatType(awaited),
    };
    report("type-promise", site.node, parameters);
    return UNSUPPORTED;
  }
  if (name === "Function" || name === "CallableFunction" || name === "NewableFunction") {
    report("type-function", site.node, { where: derivation.describeSite(site), type: shown });
    return UNSUPPORTED;
  }
  return lacksJsonForm(type) ? reportWithoutJsonForm([type], site, derivation) : undefined;
};

/** Returns whether TypeScript or Node declares a type that JSON cannot represent. */
export function lacksJsonForm(type: ts.Type): boolean {
  return explainUnsupported(type) !== undefined;
}

/** Returns the name by which a rule or a reason is found. An author's own error counts as `Error`. */
function findKnownName(type: ts.Type): string | undefined {
  return getLibraryName(type) ?? (isError(type) ? "Error" : undefined);
}

function explainUnsupported(type: ts.Type): { reason: string; edit: string } | undefined {
  const name = findKnownName(type);
  return name === undefined ? undefined : UNSUPPORTED_TYPES[name];
}

/** Maximum number of types that a diagnostic names. */
const MAX_NAMED_TYPES = 3;

/** Reports types that {@link lacksJsonForm}: the alternatives of a union in one diagnostic for each reason. */
export function reportWithoutJsonForm(
  types: readonly ts.Type[],
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const where = derivation.describeSite(site);
  const explanations = types.flatMap((type) => explainUnsupported(type) ?? []);
  for (const reason of new Set(explanations.map((each) => each.reason))) {
    const same = types.filter((_, index) => explanations[index]?.reason === reason);
    const named = same.slice(0, MAX_NAMED_TYPES).map((each) => derivation.formatType(each));
    const type = `\`${[...named, ...(same.length > named.length ? ["…"] : [])].join(" | ")}\``;
    const { edit = "" } = explanations.find((each) => each.reason === reason) ?? {};
    derivation.report("type-not-serializable", site.node, { where, type, reason, edit });
  }
  return UNSUPPORTED;
}

/** Returns the name of a type that TypeScript or Node declares, or undefined for all other types. */
export function getLibraryName(type: ts.Type): string | undefined {
  if (!(type.flags & ts.TypeFlags.Object)) return undefined;
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.find((each) => isLibraryNode(each));
  if (!symbol || !declaration) return undefined;
  const name = getQualifiedName(declaration, symbol.name);
  return NAMES.has(name) ? name : undefined;
}

/** Returns whether a type is the standard `File` or `Blob`. */
export function isFile(type: ts.Type): boolean {
  return ["File", "Blob"].includes(getLibraryName(type) ?? "");
}

/** Adds the enclosing namespaces of a declaration to a name. */
function getQualifiedName({ parent }: ts.Node, name: string): string {
  if (!ts.isModuleBlock(parent) || !ts.isIdentifier(parent.parent.name)) return name;
  if (parent.parent.flags & ts.NodeFlags.GlobalAugmentation) return name;
  return getQualifiedName(parent.parent, `${parent.parent.name.text}.${name}`);
}

/** Returns whether a class or interface extends `Error`, as `TypeError` and an author's own errors do. */
function isError(type: ts.Type): boolean {
  if (!type.symbol?.declarations?.some(isExtending)) return false;
  const owner = type.getProperty("message")?.declarations?.[0]?.parent;
  if (!owner || !ts.isInterfaceDeclaration(owner) || !isLibraryNode(owner)) return false;
  return owner.name.text === "Error" || owner.name.text === "DOMException";
}

function isExtending(declaration: ts.Declaration): boolean {
  return isClassOrInterface(declaration) && declaration.heritageClauses !== undefined;
}

const NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(BUILDERS),
  ...Object.keys(UNSUPPORTED_TYPES),
  "Promise",
  "PromiseLike",
  "Function",
  "CallableFunction",
  "NewableFunction",
]);

/** Returns whether a type is a library type that JSON represents in another form. */
function isSupportedLibraryType(type: ts.Type): boolean {
  const name = getLibraryName(type);
  return name !== undefined && Object.hasOwn(BUILDERS, name);
}

/**
 * Returns the type that a class or an interface extends without adding members, if it is a library type or extends one in the
 * same way, as `NativeDate` of Mongoose extends `Date`. Its values have the same form.
 */
export function findExtendedLibraryType(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!type.isClassOrInterface() || type.typeParameters || getLibraryName(type)) return undefined;
  if (!type.symbol.declarations?.every(isEmpty)) return undefined;
  const [base, ...others] = checker.getBaseTypes(type);
  if (!base || others.length > 0) return undefined;
  return isSupportedLibraryType(base) || findExtendedLibraryType(base, checker) ? base : undefined;
}

function isEmpty(declaration: ts.Declaration): boolean {
  if (!isClassOrInterface(declaration)) return false;
  return declaration.members.every((each) => ts.isConstructorDeclaration(each));
}

function getTypeArguments(type: ts.Type, derivation: Derivation): readonly ts.Type[] {
  return derivation.checker.getTypeArguments(type as ts.TypeReference);
}

/** Returns the type arguments as written. */
function getWrittenArguments({ written }: TypeSite, { cache }: Derivation): readonly WrittenType[] {
  const { structure } = written ? cache.types.resolve(written) : {};
  return structure?.kind === "object" ? structure.typeArguments : [];
}

/** Derives a file in arguments. In results, a file is content, and not part of data. */
function deriveFile(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  if (derivation.direction === "input") return FILE;
  derivation.report("type-not-serializable", site.node, {
    where: derivation.describeSite(site),
    type: `\`${derivation.formatType(type)}\``,
    reason: "which is content, and cannot be part of data",
    edit:
      "Return the file itself, or a list of files and text, unless this is a resource; or use `Uint8Array`, which " +
      "is sent as base64.",
  });
  return UNSUPPORTED;
}

function deriveRegExp(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const conversion = { kind: "regexp" } as const;
  if (derivation.direction === "input") return { schema: { type: "string", format: "regex" }, conversion };
  derivation.report("type-regexp-flags", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
  });
  // The source of `/\-/` is invalid with the flag `u`, which clients use to check the format.
  return { schema: { type: "string" }, conversion };
}

function deriveSet(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const [element] = getTypeArguments(type, derivation);
  if (!element) return UNSUPPORTED;
  const [written] = getWrittenArguments(site, derivation);
  const items = deriveElement(element, nestSite(site, "[]", written?.node, written), derivation);
  if (items === UNSUPPORTED) return UNSUPPORTED;
  if (items === NEVER)
    return { schema: { type: "array", items: {}, maxItems: 0 }, conversion: { kind: "set" } };
  // A set may contain equal objects, but not equal scalars.
  const isUnique = (items.schema.anyOf ?? [items.schema]).every((each) => isScalarSchema(each));
  // Two different values, such as dates, may be equal as JSON.
  const mayRepeat = derivation.direction === "output" && items.conversion !== undefined;
  const unique = isUnique && !mayRepeat ? { uniqueItems: true } : {};
  return {
    schema: { type: "array", items: items.schema, ...unique },
    conversion: { kind: "set", ...(items.conversion && { items: items.conversion }) },
  };
}

/** Derives an object if the keys are text, and otherwise an array of pairs. */
function deriveMap(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const [keyType, valueType] = getTypeArguments(type, derivation);
  if (!keyType || !valueType) return UNSUPPORTED;
  const [writtenKey, writtenValue] = getWrittenArguments(site, derivation);
  const values = derivation.derive(valueType, nestSite(site, "[value]", writtenValue?.node, writtenValue));
  const literalKeys = (keyType.isUnion() ? keyType.types : [keyType]).map((each) => getLiteralValue(each));
  const keySite = nestSite(site, "[key]", writtenKey?.node, writtenKey);
  const keys = derivation.derive(keyType, keySite);
  if (values === UNSUPPORTED || keys === UNSUPPORTED) return UNSUPPORTED;
  const conversions = {
    ...(keys.conversion && { keys: keys.conversion }),
    ...(values.conversion && { values: values.conversion }),
  };
  if (derivation.direction === "input" && values === NEVER && isAbsent(valueType)) {
    derivation.report("type-not-serializable", writtenValue?.node ?? site.node, {
      where: derivation.describeSite(site),
      type: `\`${derivation.formatType(type)}\``,
      reason: "whose values JSON cannot carry",
      edit: "Use a `Set` of the keys, or `null` for the values.",
    });
    return UNSUPPORTED;
  }
  // JSON omits members that are `undefined`, but the keys of a map are data.
  const listed = toPairElement(valueType, values, derivation);
  if (isAnyKey(keyType)) {
    const additionalProperties = listed !== NEVER && listed.schema;
    const names = getNameConstraints(keys, keySite, derivation);
    const schema: JsonSchema = {
      type: "object",
      properties: {},
      additionalProperties,
      ...(names && { propertyNames: names }),
    };
    return { schema, conversion: { kind: "map", ...conversions, object: true } };
  }
  if (literalKeys.every((key) => typeof key === "string")) {
    getNameConstraints(keys, keySite, derivation);
    const named = listed === NEVER ? [] : (keys.schema.enum ?? []);
    const properties = Object.fromEntries(named.map((key) => [String(key), listed.schema]));
    return {
      schema: { type: "object", properties, additionalProperties: false },
      conversion: { kind: "map", ...conversions, object: true },
    };
  }
  const parts = [toPairElement(keyType, keys, derivation), listed];
  if (parts.includes(NEVER))
    return { schema: { type: "array", items: {}, maxItems: 0 }, conversion: { kind: "map" } };
  const pair: JsonSchema = {
    type: "array",
    prefixItems: parts.map(({ schema }) => schema),
    items: false,
    minItems: 2,
    maxItems: 2,
  };
  return { schema: { type: "array", items: pair }, conversion: { kind: "map", ...conversions } };
}

/** Makes the key or value of a map accept `null` in outputs, which is how JSON represents `undefined` there. */
function toPairElement(type: ts.Type, fragment: SchemaFragment, { direction }: Derivation): SchemaFragment {
  return direction === "output" && mayBeAbsent(type) ? allowNull(fragment) : fragment;
}
