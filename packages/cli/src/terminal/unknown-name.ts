import { findNearestName } from "@tenon/runtime/nearest-name";
import { Failure } from "./failure.js";
import { formatList } from "./text-format.js";

/**
 * Creates the failure for an unknown name, with the nearest name and all valid names.
 *
 * @param noun the kind of name, such as `"tool"`
 * @example
 * createUnknownNameFailure("tool", "ad", ["add", "ask"])
 * // Unknown tool `ad`. Did you mean `add`?   hint: The tools are add and ask.
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
    ...(names.length > 0 && { hint: listNames(noun, names) }),
    ...options,
  });
}

function listNames(noun: string, names: readonly string[]): string {
  const list = formatList(names);
  return names.length === 1 ? `The only ${noun} is ${list}.` : `The ${toPlural(noun)} are ${list}.`;
}

function toPlural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
