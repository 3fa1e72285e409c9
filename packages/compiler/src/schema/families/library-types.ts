import type { JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { orNull } from "../join.js";
import { deriveElement } from "./arrays.js";
import { literalValue } from "./literals.js";
import { isScalarSchema } from "../../json-schema/scalar-schema.js";
import { isLibraryNode } from "../../project/nodes.js";
import { namesOf } from "./records.js";
import { isAnyKey } from "./template-literals.js";
import { mayBeAbsent } from "../type-identity.js";
import { behindNames, inner } from "../type-sites.js";

/** `byte` is the specification's own name for base64. */
const BYTES: SchemaFragment = {
  schema: { type: "string", format: "byte", contentEncoding: "base64" },
  conversion: { kind: "bytes" },
};

type Build = (type: ts.Type, site: TypeSite, derivation: Derivation) => SchemaFragment;

/** Library classes that JSON writes as something else, and back, by name: `Date`, or `Intl.Locale` in a namespace. */
const CARRIED: Record<string, Build> = {
  Date: () => ({ schema: { type: "string", format: "date-time" }, conversion: { kind: "date" } }),
  URL: () => ({ schema: { type: "string", format: "uri" }, conversion: { kind: "url" } }),
  RegExp: (_type, _site, { direction }) => ({
    // The source of `/\-/` is not valid with the flag `u`, with which clients check the format.
    schema: direction === "input" ? { type: "string", format: "regex" } : { type: "string" },
    conversion: { kind: "regexp" },
  }),
  Uint8Array: () => BYTES,
  Buffer: () => BYTES,
  Set: setOf,
  ReadonlySet: setOf,
  Map: mapOf,
  ReadonlyMap: mapOf,
};

/** Library types that cannot be carried: why, and what to write instead. */
const REFUSALS: Record<string, { reason: string; edit: string }> = {
  ...refusal(
    "WeakMap WeakSet WeakRef",
    "whose members exist only inside one process",
    "Use a `Map`, a `Set` or an object.",
  ),
  ...refusal(
    "Error",
    "which JSON writes without its message",
    "Use an object with the message and other properties.",
  ),
  ...refusal("String", "a wrapper object", "Write `string`."),
  ...refusal("Number", "a wrapper object", "Write `number`."),
  ...refusal("Boolean", "a wrapper object", "Write `boolean`."),
  ...refusal("BigInt", "a wrapper object", "Write `bigint`."),
  ...refusal("Symbol", "a wrapper object", "Use a string literal type."),
  ...refusal(
    "Int8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array",
    "which has no JSON form",
    "Use `number[]`, or `Uint8Array` for bytes.",
  ),
  ...refusal("BigInt64Array BigUint64Array", "which has no JSON form", "Use `bigint[]`."),
  ...refusal(
    "ArrayBuffer SharedArrayBuffer DataView Blob File",
    "which has no JSON form",
    "Use `Uint8Array`, which travels as base64.",
  ),
  ...refusal(
    "Iterator IteratorObject Iterable IterableIterator Generator AsyncIterator AsyncIterable AsyncIterableIterator " +
      "AsyncGenerator ArrayIterator MapIterator SetIterator ReadableStream WritableStream NodeJS.Iterator " +
      "NodeJS.AsyncIterator NodeJS.ReadableStream NodeJS.WritableStream NodeJS.ReadWriteStream",
    "which gives its values one by one",
    "Collect the values in an array.",
  ),
};

function refusal(
  names: string,
  reason: string,
  edit: string,
): Record<string, { reason: string; edit: string }> {
  return Object.fromEntries(names.split(" ").map((name) => [name, { reason, edit }]));
}

/** Types that TypeScript or Node declares, by the identity of their symbol; an author's own `Date` is the author's. */
export const libraryTypes: TypeRule = (type, site, derivation) => {
  const name = libraryName(type) ?? (isError(type) ? "Error" : undefined);
  if (name === undefined) return undefined;
  const build = CARRIED[name];
  if (build) return build(type, site, derivation);
  const { report } = derivation;
  const shown = derivation.show(type);
  if (name === "Promise" || name === "PromiseLike") {
    const awaited = derivation.checker.getAwaitedType(type) ?? type;
    const parameters = { where: derivation.where(site), type: shown, awaited: derivation.show(awaited) };
    report("type-promise", site.node, parameters);
    return UNSUPPORTED;
  }
  if (name === "Function" || name === "CallableFunction" || name === "NewableFunction") {
    report("type-function", site.node, { where: derivation.where(site), type: shown });
    return UNSUPPORTED;
  }
  const why = REFUSALS[name];
  if (!why) return undefined;
  report("type-not-serializable", site.node, {
    where: derivation.where(site),
    type: `\`${shown}\``,
    ...why,
  });
  return UNSUPPORTED;
};

/** The name TypeScript's or Node's declarations give the type; undefined for everyone else's types. */
export function libraryName(type: ts.Type): string | undefined {
  if (!(type.flags & ts.TypeFlags.Object)) return undefined;
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.find((each) => isLibraryNode(each));
  if (!symbol || !declaration) return undefined;
  const name = qualifiedName(declaration, symbol.name);
  return NAMES.has(name) ? name : undefined;
}

/** A name with the namespaces that a declaration is in. */
function qualifiedName({ parent }: ts.Node, name: string): string {
  if (!ts.isModuleBlock(parent) || !ts.isIdentifier(parent.parent.name)) return name;
  if (parent.parent.flags & ts.NodeFlags.GlobalAugmentation) return name;
  return qualifiedName(parent.parent, `${parent.parent.name.text}.${name}`);
}

/** Whether a class or interface extends `Error`, an author's own as well as `TypeError`. */
function isError(type: ts.Type): boolean {
  if (!type.symbol?.declarations?.some(isExtending)) return false;
  const owner = type.getProperty("message")?.declarations?.[0]?.parent;
  if (!owner || !ts.isInterfaceDeclaration(owner) || !isLibraryNode(owner)) return false;
  return owner.name.text === "Error" || owner.name.text === "DOMException";
}

function isExtending(declaration: ts.Declaration): boolean {
  if (!ts.isClassLike(declaration) && !ts.isInterfaceDeclaration(declaration)) return false;
  return declaration.heritageClauses !== undefined;
}

const NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(CARRIED),
  ...Object.keys(REFUSALS),
  "Promise",
  "PromiseLike",
  "Function",
  "CallableFunction",
  "NewableFunction",
]);

/** Whether a type is one that JSON carries in another form: never an author's object. */
export function isCarriedLibraryType(type: ts.Type): boolean {
  const name = libraryName(type);
  return name !== undefined && Object.hasOwn(CARRIED, name);
}

function argumentsOf(type: ts.Type, derivation: Derivation): readonly ts.Type[] {
  return derivation.checker.getTypeArguments(type as ts.TypeReference);
}

function argumentNode(site: TypeSite, index: number): ts.TypeNode | undefined {
  return site.typeNode && ts.isTypeReferenceNode(site.typeNode)
    ? site.typeNode.typeArguments?.[index]
    : undefined;
}

function setOf(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const [element] = argumentsOf(type, derivation);
  if (!element) return UNSUPPORTED;
  const behind = behindNames(site, derivation);
  const node = argumentNode(behind, 0);
  const items = deriveElement(element, inner(behind, "[]", node, node), derivation);
  if (items === UNSUPPORTED) return UNSUPPORTED;
  if (items === NEVER)
    return { schema: { type: "array", items: {}, maxItems: 0 }, conversion: { kind: "set" } };
  // Equal objects may both be in a set; equal scalars may not.
  const isUnique = (items.schema.anyOf ?? [items.schema]).every((each) => isScalarSchema(each));
  // Two dates may be equal once they are JSON.
  const mayRepeat = derivation.direction === "output" && items.conversion !== undefined;
  const unique = isUnique && !mayRepeat ? { uniqueItems: true } : {};
  return {
    schema: { type: "array", items: items.schema, ...unique },
    conversion: { kind: "set", ...(items.conversion && { items: items.conversion }) },
  };
}

/** With text for keys a map reads best as an object; with anything else it is an array of pairs. */
function mapOf(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const [keyType, valueType] = argumentsOf(type, derivation);
  if (!keyType || !valueType) return UNSUPPORTED;
  const behind = behindNames(site, derivation);
  const [keyNode, valueNode] = [argumentNode(behind, 0), argumentNode(behind, 1)];
  const values = derivation.derive(valueType, inner(behind, "[value]", valueNode, valueNode));
  const literalKeys = (keyType.isUnion() ? keyType.types : [keyType]).map((each) => literalValue(each));
  const keys = derivation.derive(keyType, inner(behind, "[key]", keyNode, keyNode));
  if (values === UNSUPPORTED || keys === UNSUPPORTED) return UNSUPPORTED;
  const conversions = {
    ...(keys.conversion && { keys: keys.conversion }),
    ...(values.conversion && { values: values.conversion }),
  };
  if (isAnyKey(keyType)) {
    const additionalProperties = values !== NEVER && values.schema;
    const names = namesOf(keys);
    const schema: JsonSchema = {
      type: "object",
      properties: {},
      additionalProperties,
      ...(names && { propertyNames: names }),
    };
    return { schema, conversion: { kind: "map", ...conversions, object: true } };
  }
  if (literalKeys.every((key) => typeof key === "string")) {
    const named = values === NEVER ? [] : (keys.schema.enum ?? []);
    const properties = Object.fromEntries(named.map((key) => [String(key), values.schema]));
    return {
      schema: { type: "object", properties, additionalProperties: false },
      conversion: { kind: "map", ...conversions, object: true },
    };
  }
  const parts = [inPair(keyType, keys, derivation), inPair(valueType, values, derivation)];
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

/** JSON writes an `undefined` in a pair as `null`. */
function inPair(type: ts.Type, fragment: SchemaFragment, { direction }: Derivation): SchemaFragment {
  return direction === "output" && mayBeAbsent(type) ? orNull(fragment) : fragment;
}
