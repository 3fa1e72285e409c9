import { createWrappedNode, ts } from "../typescript/typescript.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import { findReachedFiles } from "../project/reached-files.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { findDecorator, type DecoratorName } from "../read/decorators.js";

/** A use of one of Tenon's functions from which neither a declaration nor the configuration was read. */
export interface IgnoredUse {
  name: DecoratorName | "defineServer";
  /** The name of the function, or the `decorator` if there is one. */
  node: ts.Node;
  /** The decorator, if the use is one, possibly through an author's own function. */
  decorator?: ts.Decorator;
}

const TENON_FUNCTIONS: ReadonlySet<string> = new Set(["Tool", "Prompt", "Resource", "defineServer"]);

/**
 * Finds all uses of `Tool`, `Prompt`, `Resource`, and `defineServer` in a server's sources that the model does not
 * cover, whatever their syntax.
 */
export function findIgnoredUses(
  project: Project,
  { read }: Pick<ServerModel, "read">,
  runtime: RuntimeSymbols,
): IgnoredUse[] {
  const { checker } = project;
  const files = findReachedFiles(project);
  const names = findTenonNames(files);
  const found: IgnoredUse[] = [];
  /** The names that ignored decorators resolve to, which are not reported again. */
  const explained = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    // Named imports and exports only forward names that are used elsewhere.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isDecorator(node) && !read.has(node)) {
      const decorator = findDecorator(createWrappedNode(node, { typeChecker: checker }), runtime);
      if (decorator) {
        found.push({ name: decorator.name, node, decorator: node });
        explained.add(decorator.nameNode.compilerNode);
      }
    }
    if (isNamed(node, names) && !read.has(node)) {
      const name = runtime.getName(findSymbol(node, checker));
      if (isTenonFunction(name)) found.push({ name, node });
    }
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  return found.filter(({ node }) => !explained.has(node));
}

function isTenonFunction(name: string | undefined): name is IgnoredUse["name"] {
  return name !== undefined && TENON_FUNCTIONS.has(name);
}

/** A name in code, or the text in `tenon["Tool"]`. */
type Name = ts.Identifier | ts.StringLiteralLike;

function isNamed(node: ts.Node, names: ReadonlySet<string>): node is Name {
  if (ts.isIdentifier(node)) return names.has(node.text);
  return ts.isStringLiteralLike(node) && ts.isElementAccessExpression(node.parent) && names.has(node.text);
}

function findSymbol(name: Name, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = name;
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  // `const { Tool } = …` and `const { Tool: Serve } = …`
  if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === name)
    return checker.getTypeAtLocation(parent.parent).getProperty(name.text);
  return checker.getSymbolAtLocation(name);
}

/** Returns Tenon's names, and the names under which files import and export them. */
function findTenonNames(files: readonly ts.SourceFile[]): Set<string> {
  const names = new Set(TENON_FUNCTIONS);
  const renamings = files
    .flatMap(listSpecifiers)
    .flatMap(({ propertyName, name }) => (propertyName ? [[propertyName.text, name.text] as const] : []));
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const [from, to] of renamings) if (names.has(from)) names.add(to);
  }
  return names;
}

function listSpecifiers(file: ts.SourceFile): (ts.ImportSpecifier | ts.ExportSpecifier)[] {
  return file.statements.flatMap((statement) => {
    const clause = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : ts.isExportDeclaration(statement)
        ? statement.exportClause
        : undefined;
    return clause && (ts.isNamedImports(clause) || ts.isNamedExports(clause)) ? [...clause.elements] : [];
  });
}
