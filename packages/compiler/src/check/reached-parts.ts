import type { Declaration } from "../model.js";
import { isOwnNode } from "../project/nodes.js";
import type { Project } from "../project/project.js";
import { ts } from "../project/typescript.js";

/** A part of a source that is used as a whole: a statement of a module, or a member of a class. */
export type Part = ts.Node;

/** The parts that a part uses. */
export type Uses = (part: Part) => ReadonlySet<Part>;

/** What may run when a declaration is called: its method, what makes its class, and whatever these name. */
export function reachedParts({ method, owner }: Declaration, uses: Uses): Set<Part> {
  const node = owner.node.compilerNode as ts.ClassLikeDeclaration;
  const reached = new Set<Part>([partOf(method), ...madeWith(node)]);
  for (const part of reached) for (const used of uses(part)) reached.add(used);
  return reached;
}

/**
 * Looks at each part once.
 *
 * @param imports whether an import is a part that is used, and with it all that it names
 */
export function createUses({ checker }: Project, { imports }: { imports: boolean }): Uses {
  const known = new Map<Part, ReadonlySet<Part>>();
  return (part) => {
    const before = known.get(part);
    if (before) return before;
    const used = new Set<Part>(runWith(part.getSourceFile()));
    known.set(part, used);
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) for (const each of declaredParts(node, checker, imports)) used.add(each);
      // Of a class, its members are parts of their own.
      if (ts.isClassLike(part) && node.parent === part && ts.isClassElement(node)) return;
      ts.forEachChild(node, visit);
    };
    visit(part);
    return used;
  };
}

/** Where what is named is declared, and by way of which imports. */
function declaredParts(name: ts.Identifier, checker: ts.TypeChecker, imports: boolean): Part[] {
  const symbol = checker.getSymbolAtLocation(name);
  if (!symbol) return [];
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarations = [...((imports && symbol.declarations) || []), ...(target.declarations ?? [])];
  return declarations.filter(isOwnNode).flatMap((each) => {
    return ts.isClassLike(each) ? madeWith(each) : [partOf(each)];
  });
}

/** What runs when a class is made or an instance of it. */
function madeWith(node: ts.ClassLikeDeclaration): Part[] {
  const made = node.members.filter(
    (each) =>
      ts.isConstructorDeclaration(each) ||
      ts.isPropertyDeclaration(each) ||
      ts.isClassStaticBlockDeclaration(each),
  );
  return [node, ...made];
}

/** What runs when a module is loaded, and declares nothing. */
function runWith(file: ts.SourceFile): Part[] {
  return file.statements.filter(
    (each) =>
      !ts.isDeclarationStatement(each) && !ts.isVariableStatement(each) && !ts.isImportDeclaration(each),
  );
}

/** The innermost part that a node lies in. */
export function partOf(node: ts.Node): Part {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isClassLike(at) || ts.isClassElement(at) || ts.isSourceFile(at.parent)) return at;
  }
  return node;
}
