import { checkOptions } from "../../data/options/check-options.js";
import type { OptionRule } from "../../data/options/option-rule.js";
import type { RecordedOptions } from "../../api/recorded-options.js";
import type { ToolEntry } from "../../manifest.js";
import type { Handler } from "./handlers.js";

interface Declared {
  readonly handler: Pick<Handler, "options">;
  readonly entry: Pick<ToolEntry, "timeoutMs" | "rateLimit">;
}

/**
 * Checks the options of a decorator: those that it recorded, and those that the manifest contains because the decorator
 * records none. The compiler has checked the literals; other values are known only now.
 *
 * @param subject the declaration, such as `tool "current"`
 * @throws TypeError for an invalid option
 */
export function checkDecoratorOptions(
  { handler, entry: { timeoutMs, rateLimit } }: Declared,
  rule: OptionRule,
  subject: string,
): void {
  const declared = { timeoutMs, ...(typeof rateLimit === "object" && { rateLimit }) };
  checkOptions({ ...declared, ...handler.options }, rule, subject);
}

/**
 * Checks that each callback of `complete` belongs to an argument or a URI variable.
 *
 * @throws TypeError for a callback that is never called
 */
export function checkCompleters(
  { complete = {} }: RecordedOptions,
  names: readonly string[],
  noun: "argument" | "variable",
  subject: string,
): void {
  const unknown = Object.keys(complete).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `complete.${unknown} of ${subject} is never called, since there is no ${noun} "${unknown}". ` +
      (names.length === 0 ? "Remove it." : `Remove it, or use one of: ${names.join(", ")}.`),
  );
}
