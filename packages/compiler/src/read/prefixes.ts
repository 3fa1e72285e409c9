import { Node } from "ts-morph";
import type { PlainOptions } from "../declared-options.js";
import type { OwnerClass, Prefix } from "../model.js";
import type { ts } from "../project/typescript.js";
import type { Reader } from "./declaration.js";
import type { DecoratedMember } from "./decorated-members.js";
import { findDecorators, readOptions } from "./decorators.js";
import { membersOf, originOf } from "./literals.js";

/** The decorators of a class that put something before the names of its tools or prompts, instead of serving it. */
export function readPrefixes(
  owner: Pick<OwnerClass, "node">,
  { checker, runtime, collector }: Reader,
): Prefix[] {
  return findDecorators(owner.node, runtime).flatMap(({ node, name, call }): Prefix[] => {
    if (!call || name === "Resource") return [];
    const [argument] = call.getArguments();
    const { options, unreadable } = readOptions(argument, checker);
    const { prefix } = options;
    const isPrefix = prefix !== undefined || unreadable.some(({ option }) => option === "prefix");
    if (!isPrefix) return [];
    const report = collector.reporter();
    for (const { option, node: value } of unreadable)
      report("decorator-option-not-constant", value, { option });
    const other = optionNames(argument, options, checker).find((option) => option !== "prefix");
    if (other !== undefined) report("prefix-misplaced", node, { reason: "options", option: other });
    return [{ kind: name === "Tool" ? "tool" : "prompt", text: prefix ?? "", decorator: node, call }];
  });
}

/** With those that the running server reads. */
function optionNames(argument: Node | undefined, options: PlainOptions, checker: ts.TypeChecker): string[] {
  const literal = Node.isExpression(argument) ? originOf(argument) : undefined;
  if (!Node.isObjectLiteralExpression(literal)) return Object.keys(options);
  return membersOf(literal, checker).flatMap(({ name }) => name ?? []);
}

/** A prefix names something: the class that has it has methods decorated likewise. */
export function checkPrefixes(
  prefixes: readonly Prefix[],
  members: readonly DecoratedMember[],
  { collector }: Reader,
): void {
  const served = new Set(members.flatMap(({ decorators }) => decorators.map(({ name }) => name)));
  for (const { kind, decorator } of prefixes) {
    if (!served.has(kind === "tool" ? "Tool" : "Prompt"))
      collector.reporter()("prefix-misplaced", decorator, { reason: "unused", kind });
  }
}
