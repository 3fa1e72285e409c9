import type { Conversion } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { type Definitions, refers } from "../../json-schema/definitions.js";
import type { Part } from "../../json-schema/fragment.js";
import { isLibraryNode } from "../../project/nodes.js";
import { joinConversions } from "../../conversions/union-conversions.js";

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

/** What is known of recursive types once all of them have been seen. */
interface Settled {
  /** Those that convert something. */
  real: ReadonlySet<string>;
  defs: Definitions;
}

/**
 * Conversions of recursive types, without those that convert nothing: whether a type that contains itself needs
 * one is known only when all of it has been seen.
 */
export function settleConversions(
  root: Conversion | undefined,
  targets: ReadonlyMap<string, Conversion>,
  defs: Definitions,
): { conversion?: Conversion; conversions?: Record<string, Conversion> } {
  const real = new Set<string>();
  const settled: Settled = { real, defs };
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, target] of targets) {
      if (!real.has(name) && prune(target, settled)) {
        real.add(name);
        grown = true;
      }
    }
  }
  const conversion = root && prune(root, settled);
  const used = new Map<string, Conversion>();
  const visit = (each: Conversion | undefined): void => {
    for (const name of each ? referencesIn(each) : []) {
      const target = targets.get(name);
      const pruned = used.has(name) ? undefined : target && prune(target, settled);
      if (pruned) visit((used.set(name, pruned), pruned));
    }
  };
  visit(conversion);
  return {
    ...(conversion && { conversion }),
    ...(used.size > 0 && { conversions: Object.fromEntries(used) }),
  };
}

/** The conversion without references to what converts nothing; undefined when nothing remains. */
function prune(conversion: Conversion, settled: Settled): Conversion | undefined {
  switch (conversion.kind) {
    case "ref":
      return settled.real.has(conversion.name) ? conversion : undefined;
    case "array": {
      const items = prune(conversion.items, settled);
      return items && { kind: "array", items };
    }
    case "tuple": {
      const pruned = (each: Conversion | null): Conversion | null => (each && prune(each, settled)) ?? null;
      const [items, last] = [conversion.items.map(pruned), conversion.last?.map(pruned)];
      const rest = conversion.rest && prune(conversion.rest, settled);
      if (!rest && ![...items, ...(last ?? [])].some(Boolean)) return undefined;
      return { kind: "tuple", items, ...(rest && { rest }), ...(last && { last }) };
    }
    case "set": {
      const items = conversion.items && prune(conversion.items, settled);
      return { kind: "set", ...(items && { items }) };
    }
    case "map": {
      const { keys, values, ...rest } = conversion;
      const [key, value] = [keys && prune(keys, settled), values && prune(values, settled)];
      return { ...rest, ...(key && { keys: key }), ...(value && { values: value }) };
    }
    case "object":
      return prunedObject(conversion, settled);
    case "union": {
      const branches = conversion.branches.map(({ when, convert }) => ({
        when,
        convert: convert ? (prune(convert, settled) ?? null) : null,
      }));
      return branches.some(({ convert }) => convert) ? settledUnion(branches, settled.defs) : undefined;
    }
    default:
      return conversion;
  }
}

function prunedObject(
  { properties, patterns = [], additional }: Extract<Conversion, { kind: "object" }>,
  settled: Settled,
): Conversion | undefined {
  const pruned = (each: Conversion | null): Conversion | null => (each && prune(each, settled)) ?? null;
  const rest = additional && prune(additional, settled);
  const keys = patterns.map(([pattern, each]): [string, Conversion | null] => [pattern, pruned(each)]);
  const members = Object.entries(properties).map(([name, each]) => [name, pruned(each)] as const);
  if (!rest && ![...keys, ...members].some(([, each]) => each)) return undefined;
  const hasFreeNames = rest !== undefined || keys.some(([, each]) => each);
  return {
    kind: "object",
    properties: Object.fromEntries(members.filter(([, each]) => each ?? hasFreeNames)),
    ...(keys.some(([, each]) => each) && { patterns: keys }),
    ...(rest && { additional: rest }),
  };
}

/** What tells alternatives apart that refer to recursive types, which had no definition yet when they were joined. */
function settledUnion(
  branches: Extract<Conversion, { kind: "union" }>["branches"],
  defs: Definitions,
): Conversion | undefined {
  if (!branches.some(({ when }) => refers(when))) return { kind: "union", branches };
  const parts = branches.map(({ when, convert }) => ({
    schema: when,
    ...(convert && { conversion: convert }),
  }));
  return joinConversions(parts, defs);
}

function referencesIn(conversion: Conversion): string[] {
  switch (conversion.kind) {
    case "ref":
      return [conversion.name];
    case "array":
      return referencesIn(conversion.items);
    case "tuple":
      return [...conversion.items, conversion.rest, ...(conversion.last ?? [])].flatMap((each) =>
        each ? referencesIn(each) : [],
      );
    case "set":
      return conversion.items ? referencesIn(conversion.items) : [];
    case "map":
      return [conversion.keys, conversion.values].flatMap((each) => (each ? referencesIn(each) : []));
    case "object":
      return [
        ...Object.values(conversion.properties),
        ...(conversion.patterns ?? []).map(([, each]) => each),
        conversion.additional,
      ].flatMap((each) => (each ? referencesIn(each) : []));
    case "union":
      return conversion.branches.flatMap(({ convert }) => (convert ? referencesIn(convert) : []));
    default:
      return [];
  }
}
