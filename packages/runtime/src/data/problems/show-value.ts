/**
 * Shows values in messages, without the members that the author tagged `@secret`.
 * @module
 */
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { Steps } from "./problem.js";
import { MASK, withoutSecrets } from "./secrets.js";
import { shorten } from "./shorten.js";

/**
 * Returns the value at a path in `data` for a sentence: shortened, and without secrets.
 *
 * @param root the schema of `data`
 */
export function showValue(data: unknown, steps: Steps, root: JsonSchema): string {
  const shown = withoutSecrets(root, data, steps);
  return shown === MASK ? "a secret value" : shorten(shown);
}
