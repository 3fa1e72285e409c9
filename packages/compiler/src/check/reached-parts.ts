import type { Declaration } from "../model.js";
import { isOwnNode } from "../typescript/nodes.js";
import type { Project } from "../project/project.js";
import { ts } from "../typescript/typescript.js";

/** An indivisible part of a source: a statement of a module, or a member of a class. */
export type Part = ts.Node;

/** A function that returns the parts that a part uses. */
export type Uses = (part: Part) => ReadonlySet<Part>;

/**
 * Finds the code that may run when a declaration is called: its method, the construction of its class, and all code that
 * these use.
 */
export function findReachedParts({ method, owner }: Declaration, uses: Uses): Set<Part> {
  const node = owner.node.compilerNode as ts.ClassLikeDeclaration;
  const reached = new Set<Part>([findPart(method), ...listConstructionParts(node)]);
  for (const part of reached) for (const used of uses(part)) reached.add(used);
  return reached;
}

/**
 * Creates a function that finds the parts that a part uses, and examines each part once.
 *
 * @param imports whether an import counts as a used part, together with everything that it names
 */
export function createUsedPartsFinder({ checker }: Project, { imports }: { imports: boolean }): Uses {
  const known = new Map<Part, ReadonlySet<Part>>();
  return (part) => {
    const cached = known.get(part);
    if (cached) return cached;
    const used = new Set<Part>(listStartupStatements(part.getSourceFile()));
    known.set(part, used);
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) for (const each of findDeclaredParts(node, checker, imports)) used.add(each);
      // The members of a class are separate parts.
      if (ts.isClassLike(part) && node.parent === part && ts.isClassElement(node)) return;
      ts.forEachChild(node, visit);
    };
    visit(part);
    return used;
  };
}

/** Returns the parts that declare a name, and optionally the imports that lead there. */
function findDeclaredParts(name: ts.Identifier, checker: ts.TypeChecker, imports: boolean): Part[] {
  const symbol = checker.getSymbolAtLocation(name);
  if (!symbol) return [];
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarations = [...((imports && symbol.declarations) || []), ...(target.declarations ?? [])];
  return declarations.filter(isOwnNode).flatMap((each) => {
    return ts.isClassLike(each) ? listConstructionParts(each) : [findPart(each)];
  });
}

/** Lists the nodes that run when a class is defined or constructed. */
function listConstructionParts(node: ts.ClassLikeDeclaration): Part[] {
  const constructionMembers = node.members.filter(
    (each) =>
      ts.isConstructorDeclaration(each) ||
      ts.isPropertyDeclaration(each) ||
      ts.isClassStaticBlockDeclaration(each),
  );
  return [node, ...constructionMembers];
}

/** Lists the statements that run when a module is loaded and declare nothing. */
function listStartupStatements(file: ts.SourceFile): Part[] {
  return file.statements.filter(
    (each) =>
      !ts.isDeclarationStatement(each) && !ts.isVariableStatement(each) && !ts.isImportDeclaration(each),
  );
}

/** Returns the innermost part that contains a node. */
export function findPart(node: ts.Node): Part {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isClassLike(at) || ts.isClassElement(at) || ts.isSourceFile(at.parent)) return at;
  }
  return node;
}
