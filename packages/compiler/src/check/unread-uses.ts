import { createWrappedNode } from "ts-morph";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import { reachedFiles } from "../project/reached-files.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import { ts } from "../project/typescript.js";
import { findDecorator, type DecoratorName } from "../read/decorators.js";

/** A use of one of our functions that no declaration and no configuration was read from. */
export interface UnreadUse {
  name: DecoratorName | "defineServer";
  /** The name, or what `decorator` is. */
  node: ts.Node;
  /** Set where it decorates something, be it by a function of the author's. */
  decorator?: ts.Decorator;
}

const OURS: ReadonlySet<string> = new Set(["Tool", "Prompt", "Resource", "defineServer"]);

/**
 * Looks through all that a server is made of for uses of `Tool`, `Prompt`, `Resource` and `defineServer` that the model
 * does not account for, whatever their syntax.
 */
export function unreadUses(
  project: Project,
  { read }: Pick<ServerModel, "read">,
  runtime: RuntimeSymbols,
): UnreadUse[] {
  const { checker } = project;
  const files = reachedFiles(project);
  const names = namesOfOurs(files);
  const found: UnreadUse[] = [];
  /** Names that an unread decorator leads to. */
  const explained = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    // Imports and exports by name hand on what is used elsewhere.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isDecorator(node) && !read.has(node)) {
      const decorator = findDecorator(createWrappedNode(node, { typeChecker: checker }), runtime);
      if (decorator) {
        found.push({ name: decorator.name, node, decorator: node });
        explained.add(decorator.nameNode.compilerNode);
      }
    }
    if (isNamed(node, names) && !read.has(node)) {
      const name = runtime.nameOf(symbolOf(node, checker));
      if (isOurs(name)) found.push({ name, node });
    }
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  return found.filter(({ node }) => !explained.has(node));
}

function isOurs(name: string | undefined): name is UnreadUse["name"] {
  return name !== undefined && OURS.has(name);
}

/** A name as it stands in code, or the text in `tenon["Tool"]`. */
type Name = ts.Identifier | ts.StringLiteralLike;

function isNamed(node: ts.Node, names: ReadonlySet<string>): node is Name {
  if (ts.isIdentifier(node)) return names.has(node.text);
  return ts.isStringLiteralLike(node) && ts.isElementAccessExpression(node.parent) && names.has(node.text);
}

function symbolOf(name: Name, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = name;
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  // `const { Tool } = …` and `const { Tool: Serve } = …`
  if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === name)
    return checker.getTypeAtLocation(parent.parent).getProperty(name.text);
  return checker.getSymbolAtLocation(name);
}

/** Our names, and those under which files import and export them. */
function namesOfOurs(files: readonly ts.SourceFile[]): Set<string> {
  const names = new Set(OURS);
  const renamings = files
    .flatMap(specifiers)
    .flatMap(({ propertyName, name }) => (propertyName ? [[propertyName.text, name.text] as const] : []));
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const [from, to] of renamings) if (names.has(from)) names.add(to);
  }
  return names;
}

function specifiers(file: ts.SourceFile): (ts.ImportSpecifier | ts.ExportSpecifier)[] {
  return file.statements.flatMap((statement) => {
    const clause = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : ts.isExportDeclaration(statement)
        ? statement.exportClause
        : undefined;
    return clause && (ts.isNamedImports(clause) || ts.isNamedExports(clause)) ? [...clause.elements] : [];
  });
}
