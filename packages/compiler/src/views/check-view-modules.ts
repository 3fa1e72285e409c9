import { isBuiltin } from "node:module";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import type { Project } from "../project/project.js";
import { isOwnNode } from "../typescript/nodes.js";
import { RUNTIME } from "../typescript/runtime-symbols.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { ts } from "../typescript/typescript.js";
import { checkStyleSheet, checkViewRequests, isModuleUrl } from "./check-view-requests.js";
import type { View } from "./view.js";
import { getGlobalName, isLibraryName, visit } from "./view-code.js";

/**
 * Checks the modules of a view, which run in a browser under the content security policy of the host: the file, and those of
 * the author's files that it imports.
 */
export function checkViewModules(
  view: View,
  declarations: readonly Declaration[],
  { project, collector }: { project: Project; collector: DiagnosticCollector },
): void {
  const report = collector.createReport(view.tools[0]?.name);
  const served = new Set(declarations.map(({ owner }) => `${project.root}/${owner.module}`));
  const start = project.program.getSourceFile(`${project.root}/${view.path}`);
  const files = new Set(start ? [start] : []);
  const sheets = new Set<string>();
  for (const file of files) {
    for (const specifier of listImports(file, project)) {
      const target = project.checker.getSymbolAtLocation(specifier)?.valueDeclaration?.getSourceFile();
      const isServer = target !== undefined && served.has(target.fileName);
      if (isServer || isServerPackage(specifier.text)) {
        report("view-imports-server", specifier, { module: specifier.text, isServer });
      } else if (target && isOwnNode(target)) files.add(target);
      if (specifier.text.endsWith(".css"))
        checkStyleSheet(file.fileName, specifier.text, view.options, report, sheets);
    }
    checkNames(file, project, (node, name) => report("view-uses-node", node, { name }));
    checkViewRequests(file, view, project.checker, report);
    checkEvaluation(file, project.checker, (node) => report("view-evaluates-code", node, {}));
  }
}

function isServerPackage(specifier: string): boolean {
  return (
    isBuiltin(specifier) ||
    (specifier.startsWith("@tenon/") &&
      specifier !== `${RUNTIME}/view` &&
      specifier !== `${RUNTIME}/view.css`)
  );
}

/** Lists the modules that a file imports at run time. Imports of types disappear. */
function listImports(file: ts.SourceFile, { checker, options }: Project): ts.StringLiteral[] {
  const dynamic: ts.StringLiteral[] = [];
  visit(file, (node) => {
    const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const [specifier] = isImport ? node.arguments : [];
    if (specifier && ts.isStringLiteral(specifier)) dynamic.push(specifier);
  });
  const declared = file.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if ((!isImport && !ts.isExportDeclaration(statement)) || !statement.moduleSpecifier) return [];
    if (isImport ? isTypeImport(statement, checker, options) : statement.isTypeOnly) return [];
    return ts.isStringLiteral(statement.moduleSpecifier) ? [statement.moduleSpecifier] : [];
  });
  return [...declared, ...dynamic];
}

function isTypeImport(
  { importClause }: ts.ImportDeclaration,
  checker: ts.TypeChecker,
  options: ts.CompilerOptions,
): boolean {
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = importClause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  // With this option, an import without names remains.
  if (options.verbatimModuleSyntax === true) return false;
  return namedBindings.elements.every((each) => each.isTypeOnly || !isValue(each.name, checker));
}

function isValue(name: ts.Node, checker: ts.TypeChecker): boolean {
  const target = getAliasedSymbol(checker.getSymbolAtLocation(name), checker);
  return target !== undefined && (target.flags & ts.SymbolFlags.Value) !== 0;
}

/** Finds `import.meta`, and names that exist only in Node, except for `process.env.NODE_ENV`, which bundlers replace. */
function checkNames(
  file: ts.SourceFile,
  { checker }: Project,
  report: (node: ts.Node, name: string) => void,
): void {
  visit(file, (node) => {
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      const url = node.parent.parent;
      // The file in `new URL("./file", import.meta.url)` is reported instead.
      const names = ts.isNewExpression(url) && isModuleUrl(node.parent) ? url.arguments?.[0] : undefined;
      if (!names || !ts.isStringLiteralLike(names)) report(node, "import.meta");
    }
    if (!ts.isIdentifier(node) || !NODE_NAMES.has(node.text)) return;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return;
    // `typeof process` is safe, as a test for its existence.
    if (ts.isPartOfTypeNode(node) || ts.isTypeOfExpression(parent)) return;
    if (/^process\.env(?:\.NODE_ENV\b|\["NODE_ENV"\])/.test(parent.parent?.getText(file) ?? "")) return;
    const [declaration] = checker.getSymbolAtLocation(node)?.declarations ?? [];
    if (declaration && !/\/(?:@types\/node|bun-types)\//.test(declaration.getSourceFile().fileName)) return;
    report(node, node.text);
  });
}

const NODE_NAMES: ReadonlySet<string> = new Set([
  "process",
  "Buffer",
  "require",
  "__dirname",
  "__filename",
  "global",
  "setImmediate",
]);

/** Finds code that is compiled at run time, which every host blocks. Any use of `eval` counts, as in `(0, eval)(code)`. */
function checkEvaluation(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  report: (node: ts.Node) => void,
): void {
  visit(file, (node) => {
    if (ts.isIdentifier(node)) {
      const compiles =
        node.text === "eval" || (node.text === "WebAssembly" && COMPILED.test(node.parent.getText()));
      if (compiles && isLibraryName(node, checker) && !ts.isPartOfTypeNode(node)) report(node);
    }
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const { expression, arguments: [code] = [] } = node;
    const name = getGlobalName(expression);
    const isTimer = name === "setTimeout" || name === "setInterval";
    if (name === "Function" || (isTimer && code && ts.isStringLiteralLike(code))) report(expression);
  });
}

const COMPILED = /^WebAssembly\.(?:compile|compileStreaming|instantiate|instantiateStreaming|Module)$/;
