import { isBuiltin } from "node:module";
import { findUndeclaredOrigin } from "./view-origins.js";
import type { ViewOptions } from "@tenon/runtime";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import type { Project } from "../project/project.js";
import { isLibraryNode, isOwnNode } from "../typescript/nodes.js";
import { RUNTIME } from "../typescript/runtime-symbols.js";
import { ts } from "../typescript/typescript.js";
import type { View } from "./view.js";

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
  for (const file of files) {
    for (const specifier of listImports(file, project)) {
      const target = project.checker.getSymbolAtLocation(specifier)?.valueDeclaration?.getSourceFile();
      const isServer = target !== undefined && served.has(target.fileName);
      if (isServer || isServerPackage(specifier.text)) {
        report("view-imports-server", specifier, { module: specifier.text, isServer });
      } else if (target && isOwnNode(target)) files.add(target);
    }
    checkNames(file, project, (node, name) => report("view-uses-node", node, { name }));
    checkOrigins(file, view.options, project.checker, (node, origin, list) =>
      report("view-origin-missing", node, { origin, list }),
    );
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
  const symbol = checker.getSymbolAtLocation(name);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target !== undefined && (target.flags & ts.SymbolFlags.Value) !== 0;
}

/** Finds names that exist only in Node, except for `process.env.NODE_ENV`, which bundlers replace. */
function checkNames(
  file: ts.SourceFile,
  { checker }: Project,
  report: (node: ts.Node, name: string) => void,
): void {
  visit(file, (node) => {
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

/** The calls that reach an origin, and the list of `csp` that allows them. */
const REQUESTS: Readonly<Record<string, keyof NonNullable<ViewOptions["csp"]>>> = {
  fetch: "connectDomains",
  Request: "connectDomains",
  sendBeacon: "connectDomains",
  WebSocket: "connectDomains",
  EventSource: "connectDomains",
  Image: "resourceDomains",
  Audio: "resourceDomains",
};

/** Finds strings with an origin that the host would block. */
function checkOrigins(
  file: ts.SourceFile,
  options: ViewOptions,
  checker: ts.TypeChecker,
  report: (node: ts.Node, origin: string, list: string) => void,
): void {
  const check = (node: ts.Node | undefined, list: keyof NonNullable<ViewOptions["csp"]>): void => {
    const url = node && getUrl(node, checker);
    const origin = url && findUndeclaredOrigin(url, list, options);
    if (origin) report(node, origin, list);
  };
  visit(file, (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const { expression, arguments: [first, second] = [] } = node;
      const list = REQUESTS[getGlobalName(expression) ?? ""];
      if (list) check(first, list);
      // `request.open("GET", url)` of an `XMLHttpRequest`.
      const isOpen = ts.isPropertyAccessExpression(expression) && expression.name.text === "open";
      if (isOpen && first && isHttpMethod(first)) check(second, "connectDomains");
    } else if (ts.isJsxAttribute(node)) {
      const element = node.parent.parent.tagName.getText(file);
      const name = node.name.getText(file);
      if (name !== "src" && name !== "poster" && !(name === "href" && element === "link")) return;
      const value =
        node.initializer && ts.isJsxExpression(node.initializer)
          ? node.initializer.expression
          : node.initializer;
      check(value, element === "iframe" ? "frameDomains" : "resourceDomains");
    } else if (ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left)) {
      // `image.src = url`
      const { name, expression } = node.left;
      const isFrame = checker.getTypeAtLocation(expression).symbol?.name === "HTMLIFrameElement";
      if (name.text === "src" || name.text === "poster")
        check(node.right, isFrame ? "frameDomains" : "resourceDomains");
    } else if (ts.isStringLiteralLike(node)) {
      const [, url = ""] = /\burl\(\s*["']?([^"')]+)/.exec(node.text) ?? [];
      const origin = findUndeclaredOrigin(url, "resourceDomains", options);
      if (origin) report(node, origin, "resourceDomains");
    }
  });
}

/** Returns the text of a URL, or as much of it as is constant: at least its origin. */
function getUrl(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNewExpression(node) && getGlobalName(node.expression) === "URL") {
    const [url, base] = (node.arguments ?? []).map((each) => getUrl(each, checker));
    return url !== undefined && URL.canParse(url) ? url : base;
  }
  const getConstant = (part: ts.Node): string => {
    const type = checker.getTypeAtLocation(part);
    return type.isStringLiteral() ? type.value : "";
  };
  if (ts.isIdentifier(node)) return getConstant(node);
  if (!ts.isTemplateExpression(node)) return undefined;
  const [first] = node.templateSpans;
  const base = node.head.text === "" && first ? getConstant(first.expression) + first.literal.text : "";
  const start = node.head.text + base;
  return /^\w+:\/\/[^/?#]+[/?#]/.test(start) ? start : undefined;
}

/** Finds code that is compiled at run time, which every host blocks. Any use of `eval` counts, as in `(0, eval)(code)`. */
function checkEvaluation(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  report: (node: ts.Node) => void,
): void {
  const isGlobal = (node: ts.Node): boolean =>
    checker.getSymbolAtLocation(node)?.declarations?.some((each) => isLibraryNode(each)) === true;
  visit(file, (node) => {
    if (ts.isIdentifier(node)) {
      const compiles =
        node.text === "eval" || (node.text === "WebAssembly" && COMPILED.test(node.parent.getText()));
      if (compiles && isGlobal(node) && !ts.isPartOfTypeNode(node)) report(node);
    }
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const { expression, arguments: [code] = [] } = node;
    const name = getGlobalName(expression);
    const isTimer = name === "setTimeout" || name === "setInterval";
    if (name === "Function" || (isTimer && code && ts.isStringLiteralLike(code))) report(expression);
  });
}

const COMPILED = /^WebAssembly\.(?:compile|compileStreaming|instantiate|instantiateStreaming|Module)$/;

/** Returns the name of what `fetch`, `window.fetch`, or `navigator.sendBeacon` refers to. */
function getGlobalName(node: ts.Expression): string | undefined {
  const isMember = ts.isPropertyAccessExpression(node) && GLOBALS.has(node.expression.getText());
  if (isMember) return node.name.text;
  return ts.isIdentifier(node) ? node.text : undefined;
}

const GLOBALS: ReadonlySet<string> = new Set(["window", "globalThis", "self", "navigator"]);

function isHttpMethod(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && /^(?:get|head|post|put|patch|delete|options)$/i.test(node.text);
}

function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}
