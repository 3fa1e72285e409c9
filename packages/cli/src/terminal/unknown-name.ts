import { nearestName } from "@tenon/runtime/nearest-name";
import { Failure } from "./failure.js";

/**
 * The failure of a name that means nothing, with the nearest name and all names there are.
 *
 * @param noun what the name is one of, such as `"tool"`
 * @example
 * unknownName("tool", "ad", ["add", "ask"])
 * // There is no tool `ad`. Did you mean `add`?   hint: The tools are add, ask.
 */
export function unknownName(
  noun: string,
  name: string,
  names: readonly string[],
  options: { exitCode?: 1 | 2 } = {},
): Failure {
  const nearest = nearestName(name, names);
  const suggestion = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  return new Failure(`There is no ${noun} \`${name}\`.${suggestion}`, {
    ...(names.length > 0 && { hint: `The ${plural(noun)} are ${names.join(", ")}.` }),
    ...options,
  });
}

function plural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
