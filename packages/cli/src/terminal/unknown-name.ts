import { findNearestName } from "@tenon/runtime/nearest-name";
import { Failure } from "./failure.js";

/**
 * Creates the failure for an unknown name, with the nearest name and all valid names.
 *
 * @param noun the kind of name, such as `"tool"`
 * @example
 * createUnknownNameFailure("tool", "ad", ["add", "ask"])
 * // Unknown tool `ad`. Did you mean `add`?   hint: The tools are add, ask.
 */
export function createUnknownNameFailure(
  noun: string,
  name: string,
  names: readonly string[],
  options: { exitCode?: 1 | 2 } = {},
): Failure {
  const nearest = findNearestName(name, names);
  const suggestion = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  return new Failure(`Unknown ${noun} \`${name}\`.${suggestion}`, {
    ...(names.length > 0 && { hint: `The ${toPlural(noun)} are ${names.join(", ")}.` }),
    ...options,
  });
}

function toPlural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
