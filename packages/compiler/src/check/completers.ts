import { findNearestName } from "@tenon/runtime/nearest-name";
import { Node, type ts } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { PromptDeclaration, ResourceDeclaration } from "../model.js";
import { findMember, findOrigin, getMembers } from "../read/literals.js";
import { findOptions } from "./options.js";

/**
 * Checks that each callback of `complete` belongs to an argument of the prompt or a variable of the URI. Others are never
 * called.
 *
 * @param names the arguments or variables
 */
export function checkCompleters(
  declaration: PromptDeclaration | ResourceDeclaration,
  names: readonly string[],
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const options = findOptions(declaration);
  const literal = options && findOrigin(options);
  if (!Node.isObjectLiteralExpression(literal)) return;
  const value = findMember("complete", getMembers(literal, checker))?.value;
  const completers = value && findOrigin(value);
  if (!Node.isObjectLiteralExpression(completers)) return;
  const report = collector.createReport(declaration.name);
  for (const { name, node } of getMembers(completers, checker)) {
    if (name === undefined || names.includes(name)) continue;
    report("completion-unknown", Node.hasName(node) ? node.getNameNode() : node, {
      name,
      noun: declaration.kind === "prompt" ? "argument" : "variable",
      subject: declaration.name.name,
      nearest: findNearestName(name, names),
      known: names,
    });
  }
}
