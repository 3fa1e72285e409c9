import type { DeclarationName, Diagnostic, SourceSpan } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import { isOwnNode } from "../project/nodes.js";
import type { Project } from "../project/project.js";
import { ts } from "../project/typescript.js";

/** What a set of errors is about. */
export interface Affected {
  /** The declarations whose methods, or what these use, have errors; each with those errors. */
  declarations: { name: DeclarationName; errors: Diagnostic[] }[];
  /** The errors that belong to none of them. */
  others: Diagnostic[];
  /** All that is declared, as far as the source can be read. */
  declared: DeclarationName[];
}

/**
 * Tells which declarations errors are about: those that an error names, and those whose methods reach the place of an error,
 * by way of whatever they call, make or name as a type.
 *
 * @param declarations also of a source that cannot be parsed to its end
 */
export function affectedBy(
  diagnostics: readonly Diagnostic[],
  declarations: readonly Declaration[],
  project: Project,
): Affected {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const uses = createUses(project);
  const places = new Map(errors.map((each) => [each, each.span && partAt(each.span, project)]));
  const found = declarations.map((declaration) => {
    const reached = reachedParts(declaration, uses);
    const own = errors.filter((each) => {
      if (each.declaration) return isSameName(each.declaration, declaration.name);
      const place = places.get(each);
      return place !== undefined && reached.has(place);
    });
    return { name: declaration.name, errors: own };
  });
  const named = new Set(found.flatMap((each) => each.errors));
  return {
    declarations: found.filter((each) => each.errors.length > 0),
    others: errors.filter((each) => !named.has(each)),
    declared: declarations.map(({ name }) => name),
  };
}

function isSameName(a: DeclarationName, b: DeclarationName): boolean {
  return a.kind === b.kind && a.name === b.name;
}

/** A part of a source that is used as a whole: a statement of a module, or a member of a class. */
type Part = ts.Node;

/** The parts that a part uses. */
type Uses = (part: Part) => ReadonlySet<Part>;

function reachedParts({ method, owner }: Declaration, uses: Uses): Set<Part> {
  const node = owner.node.compilerNode as ts.ClassLikeDeclaration;
  const reached = new Set<Part>([partOf(method), ...madeWith(node)]);
  for (const part of reached) for (const used of uses(part)) reached.add(used);
  return reached;
}

function createUses({ checker }: Project): Uses {
  const known = new Map<Part, ReadonlySet<Part>>();
  return (part) => {
    const before = known.get(part);
    if (before) return before;
    const used = new Set<Part>(runWith(part.getSourceFile()));
    known.set(part, used);
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) for (const each of declaredParts(node, checker)) used.add(each);
      // Of a class, its members are parts of their own.
      if (ts.isClassLike(part) && node.parent === part && ts.isClassElement(node)) return;
      ts.forEachChild(node, visit);
    };
    visit(part);
    return used;
  };
}

/** Where what is named is declared, and by way of which imports. */
function declaredParts(name: ts.Identifier, checker: ts.TypeChecker): Part[] {
  const symbol = checker.getSymbolAtLocation(name);
  if (!symbol) return [];
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarations = [...(symbol.declarations ?? []), ...(target.declarations ?? [])];
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
function partOf(node: ts.Node): Part {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isClassLike(at) || ts.isClassElement(at) || ts.isSourceFile(at.parent)) return at;
  }
  return node;
}

/** The part at a place. */
function partAt({ file, start }: SourceSpan, { program, root }: Project): Part | undefined {
  const source = program.getSourceFile(`${root}/${file}`);
  if (!source) return undefined;
  const lines = source.getLineStarts();
  const offset = Math.min((lines[start.line - 1] ?? source.end) + start.column - 1, source.end);
  let innermost: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (offset < node.getFullStart() || offset > node.getEnd()) return;
    // Between two nodes, the one that ends there is what is not complete.
    if (offset === node.getFullStart() && innermost !== source && innermost !== node.parent) return;
    innermost = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return innermost === source ? undefined : partOf(innermost);
}
