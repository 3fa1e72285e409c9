import type { JsonValue } from "@tenon/runtime/manifest";
import { valueProblems, type ValueProblem } from "@tenon/runtime/value-problems";
import type { Definitions } from "./definitions.js";
import type { SchemaFragment } from "./fragment.js";

/**
 * Why a server would refuse a value of a type; nothing when it would take it. The same rules decide here and there.
 *
 * @param defs what the schema refers to; a definition that is not there yet takes everything
 */
export function problemsOf(
  value: JsonValue,
  { schema, conversion }: SchemaFragment,
  defs: Definitions,
): ValueProblem[] {
  return valueProblems({ ...schema, $defs: defs }, value, conversion);
}

/** Keywords about the type of a value: beside the name of the type they would say it twice. */
const OF_TYPE: ReadonlySet<string> = new Set(["type", "enum", "const", "anyOf", "oneOf"]);

/**
 * The first problem as a sentence of its own; undefined where the name of the type is reason enough.
 *
 * @example
 * reasonOf([{ path: "", keyword: "minimum", problem: "must be at least 1" }]) // "it must be at least 1"
 */
export function reasonOf([first]: readonly ValueProblem[]): string | undefined {
  if (!first || (first.path === "" && OF_TYPE.has(first.keyword))) return undefined;
  return `${first.path === "" ? "it" : `\`${first.path}\``} ${first.problem}`;
}
