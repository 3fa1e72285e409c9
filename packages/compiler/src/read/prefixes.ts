import { Node, type ts } from "../typescript/typescript.js";
import type { PlainOptions } from "../declared-options.js";
import type { OwnerClass, Prefix } from "../model.js";
import type { Reader } from "./declaration.js";
import type { DecoratedMember } from "./decorated-members.js";
import { findDecorators, readOptions } from "./decorators.js";
import { getMembers, findOrigin } from "./literals.js";

/** Reads the decorators of a class that set a prefix for the names of its tools or prompts instead of serving it. */
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
    const report = collector.createReport();
    for (const { option, node: value } of unreadable)
      report("decorator-option-not-constant", value, { option });
    const other = getOptionNames(argument, options, checker).find((option) => option !== "prefix");
    if (other !== undefined) report("prefix-misplaced", node, { reason: "options", option: other });
    return [{ kind: name === "Tool" ? "tool" : "prompt", text: prefix ?? "", decorator: node, call }];
  });
}

/** Returns the names of all options, including those that the running server reads. */
function getOptionNames(
  argument: Node | undefined,
  options: PlainOptions,
  checker: ts.TypeChecker,
): string[] {
  const literal = Node.isExpression(argument) ? findOrigin(argument) : undefined;
  if (!Node.isObjectLiteralExpression(literal)) return Object.keys(options);
  return getMembers(literal, checker).flatMap(({ name }) => name ?? []);
}

/** Reports a prefix on a class without tools or prompts to which it applies. */
export function checkPrefixes(
  prefixes: readonly Prefix[],
  members: readonly DecoratedMember[],
  { collector }: Reader,
): void {
  const served = new Set(members.flatMap(({ decorators }) => decorators.map(({ name }) => name)));
  for (const { kind, decorator } of prefixes) {
    if (!served.has(kind === "tool" ? "Tool" : "Prompt"))
      collector.createReport()("prefix-misplaced", decorator, { reason: "unused", kind });
  }
}
