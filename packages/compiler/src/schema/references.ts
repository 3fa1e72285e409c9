import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../typescript.js";
import type { Part } from "./derivation.js";
import { isLibraryNode } from "./places.js";

/**
 * The symbol that names a type, as alias, interface or class; undefined for types that have none.
 */
export function namingSymbol(type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol) return type.aliasSymbol;
  const { symbol } = type;
  if (!symbol || !(type.flags & ts.TypeFlags.Object)) return undefined;
  if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return undefined;
  // `Array`, `Map` and their like are no names for what they hold.
  return symbol.declarations?.some((declaration) => isLibraryNode(declaration)) ? undefined : symbol;
}

/**
 * The alias that a type without a name is written in. What refers to itself always passes through an alias, but the
 * checker forgets it: of `type Tree = { next?: Tree } | { leaf: true }`, what `next` may be is another union, that of
 * both literals and `undefined`.
 */
export function enclosingAlias(type: ts.Type, checker: ts.TypeChecker): ts.Symbol | undefined {
  for (const part of partsOf(type)) {
    let node: ts.Node | undefined = part.symbol?.declarations?.[0];
    if (!node || !ts.isTypeNode(node) || isLibraryNode(node)) continue;
    while (node && ts.isTypeNode(node)) node = node.parent;
    if (node && ts.isTypeAliasDeclaration(node)) return checker.getSymbolAtLocation(node.name);
  }
  return undefined;
}

/** What unions and intersections are made of, however deep. */
function partsOf(type: ts.Type): ts.Type[] {
  return type.isUnionOrIntersection() ? type.types.flatMap((part) => partsOf(part)) : [type];
}

/** Whether a type has the same part wherever it stands: its comments and order do not depend on the place. */
export function isShareable(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object) || type.aliasTypeArguments) return false;
  const { target, typeArguments } = type as ts.TypeReference;
  return target === undefined || target === type || (typeArguments ?? []).length === 0;
}

/** Hands out names for `$defs`: a type keeps its own, and a namesake gets a number. */
export class Names {
  readonly #checker: ts.TypeChecker;
  readonly #byIdentity = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(identity: string, type: ts.Type): string {
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const wanted = readableName(type, this.#checker);
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    this.#byIdentity.set(identity, name);
    return name;
  }
}

/** `Partial<Tree>` is `PartialTree`; the author's own `Tree<string>` is `Tree`. */
function readableName(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = namingSymbol(type) ?? enclosingAlias(type, checker);
  const name = symbol?.name === "default" ? "Default" : (symbol?.name ?? "Type");
  const isLibrary = symbol?.declarations?.some((declaration) => isLibraryNode(declaration));
  const inside = isLibrary
    ? (type.aliasTypeArguments ?? []).map((each) => namingSymbol(each)?.name ?? "")
    : [];
  return [name, ...inside].join("").replaceAll(/[^A-Za-z0-9_.-]/g, "_");
}

/** What stands where a recursive type is used. */
export function referenceTo(name: string): Part {
  return { schema: { $ref: `#/$defs/${name}` }, conversion: { kind: "ref", name } };
}

/**
 * Conversions of recursive types, without those that convert nothing: whether a type that contains itself needs
 * one is known only when all of it has been seen.
 */
export function settleConversions(
  root: Conversion | undefined,
  targets: ReadonlyMap<string, Conversion>,
): { conversion?: Conversion; conversions?: Record<string, Conversion> } {
  const real = new Set<string>();
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, target] of targets) {
      if (!real.has(name) && prune(target, real)) {
        real.add(name);
        grown = true;
      }
    }
  }
  const conversion = root && prune(root, real);
  const used = new Map<string, Conversion>();
  const visit = (each: Conversion | undefined): void => {
    for (const name of each ? referencesIn(each) : []) {
      const target = targets.get(name);
      const pruned = used.has(name) ? undefined : target && prune(target, real);
      if (pruned) visit((used.set(name, pruned), pruned));
    }
  };
  visit(conversion);
  return {
    ...(conversion && { conversion }),
    ...(used.size > 0 && { conversions: Object.fromEntries(used) }),
  };
}

/** The conversion without references outside `real`; undefined when nothing remains. */
function prune(conversion: Conversion, real: ReadonlySet<string>): Conversion | undefined {
  switch (conversion.kind) {
    case "ref":
      return real.has(conversion.name) ? conversion : undefined;
    case "array": {
      const items = prune(conversion.items, real);
      return items && { kind: "array", items };
    }
    case "tuple": {
      const items = conversion.items.map((item) => (item ? (prune(item, real) ?? null) : null));
      const rest = conversion.rest && prune(conversion.rest, real);
      return rest || items.some(Boolean) ? { kind: "tuple", items, ...(rest && { rest }) } : undefined;
    }
    case "set": {
      const items = conversion.items && prune(conversion.items, real);
      return { kind: "set", ...(items && { items }) };
    }
    case "map": {
      const { keys, values, ...rest } = conversion;
      const [key, value] = [keys && prune(keys, real), values && prune(values, real)];
      return { ...rest, ...(key && { keys: key }), ...(value && { values: value }) };
    }
    case "object": {
      const entries = Object.entries(conversion.properties).flatMap(([name, each]) => {
        const kept = prune(each, real);
        return kept ? [[name, kept] as const] : [];
      });
      const additional = conversion.additional && prune(conversion.additional, real);
      if (entries.length === 0 && !additional) return undefined;
      return { kind: "object", properties: Object.fromEntries(entries), ...(additional && { additional }) };
    }
    case "union": {
      const branches = conversion.branches.map(({ when, convert }) => ({
        when,
        convert: convert ? (prune(convert, real) ?? null) : null,
      }));
      return branches.some(({ convert }) => convert) ? { kind: "union", branches } : undefined;
    }
    default:
      return conversion;
  }
}

function referencesIn(conversion: Conversion): string[] {
  switch (conversion.kind) {
    case "ref":
      return [conversion.name];
    case "array":
      return referencesIn(conversion.items);
    case "tuple":
      return [...conversion.items, conversion.rest ?? null].flatMap((each) =>
        each ? referencesIn(each) : [],
      );
    case "set":
      return conversion.items ? referencesIn(conversion.items) : [];
    case "map":
      return [conversion.keys, conversion.values].flatMap((each) => (each ? referencesIn(each) : []));
    case "object":
      return [...Object.values(conversion.properties), conversion.additional].flatMap((each) =>
        each ? referencesIn(each) : [],
      );
    case "union":
      return conversion.branches.flatMap(({ convert }) => (convert ? referencesIn(convert) : []));
    default:
      return [];
  }
}

/** The schema with the definitions that it reaches. */
export function withDefs(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema {
  if (Object.keys(defs).length === 0) return schema;
  const reached = new Map<string, JsonSchema>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (key === "default" || key === "examples" || key === "enum") continue;
      const name = key === "$ref" && typeof each === "string" ? each.replace("#/$defs/", "") : undefined;
      const target = name === undefined ? undefined : defs[name];
      if (name !== undefined && target && !reached.has(name)) visit((reached.set(name, target), target));
      else visit(each);
    }
  };
  visit(schema);
  if (reached.size === 0) return schema;
  return { ...schema, $defs: Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
