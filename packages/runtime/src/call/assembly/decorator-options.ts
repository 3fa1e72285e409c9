import { checkOptions } from "../../data/options/check-options.js";
import { DECORATOR_RULES } from "../../data/options/decorator-rules.js";
import type { RecordedOptions } from "../../api/recorded-options.js";
import type { Entries } from "./entries.js";
import type { Handler } from "./handlers.js";
import type { ToolEntry } from "../../manifest.js";

interface Checked {
  readonly handler: Pick<Handler, "options">;
  readonly entry: Pick<ToolEntry, "timeoutMs" | "rateLimit">;
}

/**
 * Checks the options of all decorators. The compiler has checked the literals; other values are known only now.
 *
 * @throws TypeError for an invalid option, and for one that would have no effect
 */
export function checkDecoratorOptions({ tools, prompts, resources, templates }: Entries): void {
  for (const [name, tool] of tools) check(tool, "tool", `tool "${name}"`);
  for (const [name, prompt] of prompts) {
    const subject = `prompt "${name}"`;
    check(prompt, "prompt", subject);
    const names = (prompt.entry.definition.arguments ?? []).map((argument) => argument.name);
    checkCompleters(prompt.handler.options, names, "argument", subject);
  }
  for (const [uri, resource] of resources) check(resource, "resource", `resource "${uri}"`);
  for (const [uri, template] of templates) {
    const subject = `resource "${uri}"`;
    check(template, "resource", subject);
    checkCompleters(template.handler.options, template.template.variables, "variable", subject);
  }
}

/** Checks the recorded options, and those that the manifest contains because the decorator records none. */
function check(
  { handler, entry: { timeoutMs, rateLimit } }: Checked,
  kind: keyof typeof DECORATOR_RULES,
  subject: string,
): void {
  const declared = { timeoutMs, ...(typeof rateLimit === "object" && { rateLimit }) };
  checkOptions({ ...declared, ...handler.options }, DECORATOR_RULES[kind], subject);
}

/** Checks that each callback of `complete` belongs to an argument or a URI variable. */
function checkCompleters(
  { complete = {} }: RecordedOptions,
  names: readonly string[],
  noun: "argument" | "variable",
  subject: string,
): void {
  const unknown = Object.keys(complete).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `complete.${unknown} of ${subject} is never called, since there is no ${noun} "${unknown}". ` +
      (names.length === 0 ? "Remove it" : `Remove it, or use one of: ${names.join(", ")}`),
  );
}
