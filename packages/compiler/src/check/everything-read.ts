import type { DiagnosticCollector, Report } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import { ts } from "../project/typescript.js";
import { unreadUses, type UnreadUse } from "./unread-uses.js";

/**
 * Counts what is decorated and configured in the sources against what was read: nothing that an author means to be
 * served or obeyed is left out without a word.
 */
export function checkEverythingRead(
  project: Project,
  model: ServerModel,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  const report = collector.reporter();
  for (const use of unreadUses(project, model, runtime)) {
    if (use.name === "defineServer") reportConfig(use, model, report);
    else if (use.decorator) reportDecorator(use.decorator, use.name, project, report);
    else report("decorator-as-value", use.node, { decorator: use.name });
  }
}

function reportConfig({ node }: UnreadUse, { config }: ServerModel, report: Report): void {
  // What is exported instead has a diagnostic of its own.
  if (config && !config.nameNode) return;
  const file = node.getSourceFile();
  const isConfigFile = /\/src\/server\.[cm]?tsx?$/.test(file.fileName);
  report("config-not-read", node, {
    reason: config ? "second" : isConfigFile ? "not-exported" : "elsewhere",
  });
}

/** The first reason why a decorator serves nothing, from the inside to the outside. */
function reportDecorator(
  decorator: ts.Decorator,
  name: "Tool" | "Prompt" | "Resource",
  { sourceFiles }: Project,
  report: Report,
): void {
  const target = decorator.parent;
  const owner = ts.isClassLike(target) ? target : target.parent;
  if (!ts.isClassLike(owner)) {
    report("decorator-misplaced", decorator, { decorator: name });
    return;
  }
  if (ts.isMethodDeclaration(target) && !target.body) {
    report("handler-without-body", decorator, { method: target.name.getText() });
    return;
  }
  const className = nameOf(owner);
  const at = owner.name ?? (ts.isVariableDeclaration(owner.parent) ? owner.parent.name : decorator);
  const place = nestedIn(owner);
  if (!sourceFiles.some((file) => file.compilerNode === owner.getSourceFile()))
    report("class-outside-src", at, { name: className });
  else if (place !== undefined) report("class-nested", at, { name: className, place });
  else if (!isAbstract(owner)) report("class-not-exported", at, { name: className });
  else if (ts.isClassLike(target))
    report("class-form-abstract", decorator, { name: className, decorator: name });
  else report("class-never-extended", at, { name: className });
}

function isAbstract(owner: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(owner) & ts.ModifierFlags.Abstract) !== 0;
}

function nameOf(owner: ts.ClassLikeDeclaration): string | undefined {
  if (owner.name) return owner.name.text;
  const { parent } = owner;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : undefined;
}

type Nesting = "namespace" | "function" | "expression" | "block";

/** What a class stands in that a module cannot export it from; undefined at the top level of a module. */
function nestedIn(owner: ts.ClassLikeDeclaration): Nesting | undefined {
  let nesting: Nesting | undefined;
  for (let node: ts.Node = owner.parent; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isModuleBlock(node)) return "namespace";
    if (ts.isFunctionLike(node)) return "function";
    if (ts.isBlock(node)) nesting ??= "block";
    else if (!isValueOfConstant(node)) nesting ??= "expression";
  }
  return nesting;
}

/** Whether a node stands between the class and the module in `export const A = class {}` and `export default class {}`. */
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
