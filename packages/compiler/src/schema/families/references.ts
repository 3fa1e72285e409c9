import { ts } from "../../project/typescript.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { isLibraryNode } from "../../project/nodes.js";

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
  for (const member of partsOf(type)) {
    let node: ts.Node | undefined = member.symbol?.declarations?.[0];
    if (!node || !ts.isTypeNode(node) || isLibraryNode(node)) continue;
    while (node && ts.isTypeNode(node)) node = node.parent;
    if (node && ts.isTypeAliasDeclaration(node)) return checker.getSymbolAtLocation(node.name);
  }
  return undefined;
}

/** What unions and intersections are made of, however deep. */
function partsOf(type: ts.Type): ts.Type[] {
  return type.isUnionOrIntersection() ? type.types.flatMap((member) => partsOf(member)) : [type];
}

/** Whether a type has the same fragment wherever it is used: its comments and order do not depend on the site. */
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

/** The fragment at each use of a recursive type. */
export function referenceTo(name: string): SchemaFragment {
  return { schema: { $ref: `#/$defs/${name}` }, conversion: { kind: "ref", name } };
}
