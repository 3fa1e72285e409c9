import { ts } from "../../typescript/typescript.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { isLibraryNode } from "../../typescript/nodes.js";

/** Returns the symbol that names a type as an alias, interface, or class. Returns undefined for unnamed types. */
export function findNamingSymbol(type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol) return type.aliasSymbol;
  const { symbol } = type;
  if (!symbol || !(type.flags & ts.TypeFlags.Object)) return undefined;
  if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return undefined;
  return isLibraryContainer(symbol) ? undefined : symbol;
}

/** Returns whether a symbol is a generic type of a library, such as `Array` or `Map`, whose name does not describe its contents. */
function isLibraryContainer({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (declaration) =>
      isLibraryNode(declaration) &&
      (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) &&
      declaration.typeParameters !== undefined,
  );
}

/**
 * Returns the named declaration that an unnamed type is written in. Recursion always passes through one: an alias, or
 * the property in `components["schemas"]["Pet"]`. The checker loses aliases: for `type Tree = { next?: Tree } | { leaf: true }`,
 * the type of `next` is another union, of both literals and `undefined`.
 */
export function findEnclosingSymbol(type: ts.Type, checker: ts.TypeChecker): ts.Symbol | undefined {
  // In `NewPet & { parent?: Pet }`, the last part is the one that is written here.
  for (const member of listParts(type).toReversed()) {
    const node = member.symbol?.declarations?.[0];
    if (!node || !ts.isTypeNode(node) || isLibraryNode(node)) continue;
    const named = ts.findAncestor(node.parent, (each) => getName(each) !== undefined);
    const name = named && getName(named);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) return symbol;
  }
  return undefined;
}

function getName(node: ts.Node): ts.DeclarationName | undefined {
  return ts.getNameOfDeclaration(node as ts.Declaration);
}

/** Returns the innermost members of unions and intersections. */
function listParts(type: ts.Type): ts.Type[] {
  return type.isUnionOrIntersection() ? type.types.flatMap((member) => listParts(member)) : [type];
}

/** Returns whether a type has the same fragment everywhere: its comments and order do not depend on the site. */
export function isShareable(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object) || type.aliasTypeArguments) return false;
  const { target, typeArguments } = type as ts.TypeReference;
  return target === undefined || target === type || (typeArguments ?? []).length === 0;
}

/** Assigns names for `$defs`. A type keeps its own name, and namesakes get a number. */
export class Names {
  readonly #checker: ts.TypeChecker;
  readonly #byIdentity = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  get(identity: string, type: ts.Type): string {
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const wanted = getReadableName(type, this.#checker);
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    this.#byIdentity.set(identity, name);
    return name;
  }
}

/** Returns a readable name: `PartialTree` for `Partial<Tree>`, and `Tree` for the author's own `Tree<string>`. */
function getReadableName(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = findNamingSymbol(type) ?? findEnclosingSymbol(type, checker);
  const name = symbol?.name === "default" ? "Default" : (symbol?.name ?? "Type");
  const isLibrary = symbol?.declarations?.some((declaration) => isLibraryNode(declaration));
  const inside = isLibrary
    ? (type.aliasTypeArguments ?? []).map((each) => findNamingSymbol(each)?.name ?? "")
    : [];
  return [name, ...inside].join("").replaceAll(/[^A-Za-z0-9_.-]/g, "_");
}

/** Returns the fragment for each use of a recursive type. */
export function createReference(name: string): SchemaFragment {
  return { schema: { $ref: `#/$defs/${name}` }, conversion: { kind: "ref", name } };
}
