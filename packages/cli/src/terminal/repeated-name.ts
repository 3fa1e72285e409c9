import { Failure } from "./failure.js";

/**
 * Rejects a name that an option such as `--env NAME=value` gives two values, of which only one could be used.
 *
 * @param option the option, such as `"--env"`
 * @param names the names in the order of the command line. Those of headers are compared without case, as HTTP does.
 * @throws Failure (exit code 2) for the first repeated name
 */
export function rejectRepeatedNames(option: string, names: readonly string[]): void {
  const keys = option === "--header" ? names.map((name) => name.toLowerCase()) : names;
  const repeated = names.find((_, index) => keys.indexOf(keys[index] ?? "") < index);
  if (repeated === undefined) return;
  throw new Failure(`\`${option}\` gives \`${repeated}\` more than one value.`, {
    hint: "Keep one of them.",
    exitCode: 2,
  });
}
