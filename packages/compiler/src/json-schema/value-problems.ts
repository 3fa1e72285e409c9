import type { JsonValue } from "@tenon/runtime/manifest";
import { listValueProblems, type ValueProblem } from "@tenon/runtime/value-problems";
import type { Definitions } from "./definitions.js";
import type { SchemaFragment } from "./fragment.js";

/**
 * Returns the reasons why a server would reject a value of a type, by the server's own rules.
 *
 * @param defs the definitions that the schema refers to; a missing one accepts everything
 */
export function findValueProblems(
  value: JsonValue,
  { schema, conversion }: SchemaFragment,
  defs: Definitions,
): ValueProblem[] {
  return listValueProblems({ ...schema, $defs: defs }, value, conversion);
}

/** Keywords about the type of a value. Messages already contain the name of the type. */
const TYPE_KEYWORDS: ReadonlySet<string> = new Set(["type", "enum", "const", "anyOf", "oneOf"]);

/**
 * Returns the first problem as a sentence, or undefined if the name of the type is sufficient.
 *
 * @example
 * describeProblem([{ path: "", keyword: "minimum", problem: "must be at least 1" }]) // "it must be at least 1"
 */
export function describeProblem([first]: readonly ValueProblem[]): string | undefined {
  if (!first || (first.path === "" && TYPE_KEYWORDS.has(first.keyword))) return undefined;
  return `${first.path === "" ? "it" : `\`${first.path}\``} ${first.problem}`;
}
