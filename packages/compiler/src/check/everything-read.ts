import { existsSync, readFileSync } from "node:fs";
import { toRangeSpan, type DiagnosticCollector, type Report } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { ts } from "../typescript/typescript.js";
import { findNamedSymbols } from "./named-symbols.js";
import { findIgnoredUses, type IgnoredUse } from "./ignored-uses.js";

/**
 * Reports decorators and configurations in the sources that were not read, so that none is ignored silently.
 */
export function checkEverythingRead(
  project: Project,
  model: ServerModel,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  const report = collector.createReport();
  let named: ReadonlySet<ts.Symbol> | undefined;
  for (const use of findIgnoredUses(project, model, runtime)) {
    // A package of the workspace may offer more classes than this server extends.
    if (use.decorator && isInOtherPackage(use.node, project)) {
      named ??= findNamedSymbols(project);
      if (!isNamed(use.decorator, named, project.checker)) continue;
    }
    if (use.name === "defineServer") reportConfig(use, model, report);
    else if (use.decorator) reportDecorator(use.decorator, use.name, project, report);
    else report("decorator-as-value", use.node, { decorator: use.name });
  }
  if (!model.config) reportJavaScriptConfig(project, report);
}

/** Reports a configuration in `src/server.js`, which the program does not contain. */
function reportJavaScriptConfig({ root, program }: Project, report: Report): void {
  for (const extension of ["js", "mjs", "cjs", "jsx"]) {
    const path = `${root}/src/server.${extension}`;
    if (program.getSourceFile(path) || !existsSync(path)) continue;
    const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
    const call = findConfigCall(file);
    if (!call) continue;
    const span = toRangeSpan(file, call.getStart(), call.getEnd(), root);
    report("config-ignored", span, { reason: "elsewhere" });
  }
}

/** Finds the name in a call to `defineServer`. */
function findConfigCall(node: ts.Node): ts.Identifier | undefined {
  const callee = ts.isCallExpression(node) ? node.expression : undefined;
  if (callee && ts.isIdentifier(callee) && callee.text === "defineServer") return callee;
  return ts.forEachChild(node, findConfigCall);
}

function isInOtherPackage(node: ts.Node, { root }: Project): boolean {
  return !node.getSourceFile().fileName.startsWith(`${root}/`);
}

/** Returns whether one of the symbols is the class of a decorator. */
function isNamed(decorator: ts.Decorator, symbols: ReadonlySet<ts.Symbol>, checker: ts.TypeChecker): boolean {
  const owner = ts.findAncestor(decorator, ts.isClassLike);
  const name =
    owner && (owner.name ?? (ts.isVariableDeclaration(owner.parent) ? owner.parent.name : undefined));
  const symbol = name && checker.getSymbolAtLocation(name);
  // A class without a name may be a default export.
  return symbol === undefined || symbols.has(symbol);
}

function reportConfig({ node }: IgnoredUse, { config }: ServerModel, report: Report): void {
  // An export of another kind has its own diagnostic.
  if (config && !config.nameNode) return;
  const file = node.getSourceFile();
  const isConfigFile = /\/src\/server\.[cm]?tsx?$/.test(file.fileName);
  report("config-ignored", node, {
    reason: config ? "second" : isConfigFile ? "not-exported" : "elsewhere",
  });
}

/** Reports the innermost reason why a decorator declares nothing. */
function reportDecorator(
  decorator: ts.Decorator,
  name: "Tool" | "Prompt" | "Resource",
  { sourceFiles }: Project,
  report: Report,
): void {
  const target = decorator.parent;
  const owner = ts.isClassLike(target) ? target : target.parent;
  if (!ts.isClassLike(owner) || ts.isConstructorDeclaration(target)) {
    report("decorator-misplaced", decorator, { decorator: name });
    return;
  }
  if (ts.isMethodDeclaration(target) && !target.body) {
    report("handler-without-body", decorator, { method: target.name.getText() });
    return;
  }
  const className = getName(owner);
  const at = owner.name ?? (ts.isVariableDeclaration(owner.parent) ? owner.parent.name : decorator);
  const nesting = findNesting(owner);
  if (!sourceFiles.some((file) => file.compilerNode === owner.getSourceFile()))
    report("class-outside-src", at, { name: className });
  else if (nesting !== undefined) report("class-nested", at, { name: className, nesting });
  else if (!isAbstract(owner)) report("class-not-exported", at, { name: className });
  else if (ts.isClassLike(target))
    report("class-decorator-abstract", decorator, { name: className, decorator: name });
  else report("class-never-extended", at, { name: className });
}

function isAbstract(owner: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(owner) & ts.ModifierFlags.Abstract) !== 0;
}

function getName(owner: ts.ClassLikeDeclaration): string | undefined {
  if (owner.name) return owner.name.text;
  const { parent } = owner;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : undefined;
}

type Nesting = "namespace" | "function" | "expression" | "block";

/** Finds the kind of node around a class that prevents its module from exporting it. Undefined at the top level. */
function findNesting(owner: ts.ClassLikeDeclaration): Nesting | undefined {
  let nesting: Nesting | undefined;
  for (let node: ts.Node = owner.parent; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isModuleBlock(node)) return "namespace";
    if (ts.isFunctionLike(node)) return "function";
    if (ts.isBlock(node)) nesting ??= "block";
    else if (!isValueOfConstant(node)) nesting ??= "expression";
  }
  return nesting;
}

/** Returns whether a node may be between an exported class and its module, as in `export const A = class {}`. */
function isValueOfConstant(node: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isVariableDeclarationList(node) ||
    ts.isVariableStatement(node) ||
    ts.isExportAssignment(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  );
}
