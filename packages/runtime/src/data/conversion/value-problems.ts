/**
 * Finds the problems that a running server would report for a JSON value. The compiler checks defaults and examples
 * this way, before a client can use them.
 *
 * @example
 * import { listValueProblems } from "@tenon/runtime/value-problems";
 * @module
 */
import type { Conversion } from "../../manifest.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { fromJson } from "./conversion.js";
import { ConversionError } from "./conversion-error.js";
import { joinPath } from "../explanations/paths.js";
import { createScope } from "../problems/keywords/table.js";
import { findProblems } from "../problems/search.js";

export { readDate } from "./read-date.js";
export { formatByteCount } from "../problems/format-byte-count.js";

/** One problem of a value. */
export interface ValueProblem {
  /** Path inside the value, such as `trips[0].days`; empty for the value itself. */
  path: string;
  /** The keyword that is not satisfied. */
  keyword: string;
  /** End of a sentence that begins with the path, such as "must be at least 1". */
  problem: string;
}

/** Number of problems after which the search stops. */
const MAX_PROBLEMS = 20;

/**
 * Returns the reasons why a running server would reject a JSON value; an empty list if it would accept it.
 *
 * @param conversion the conversion of the value, which has its own limits
 * @example
 * listValueProblems({ type: "string", format: "email" }, "a@b")
 * // [{ path: "", keyword: "format", problem: "must be a valid email address" }]
 */
export function listValueProblems(
  schema: JsonSchema,
  value: unknown,
  conversion?: Conversion,
): ValueProblem[] {
  const problems = findProblems(schema, value, createScope(schema), MAX_PROBLEMS).map(
    ({ steps, keyword, member, requirement }): ValueProblem => {
      if (member === undefined) {
        return { path: joinPath(steps), keyword, problem: `must ${requirement("member")}` };
      }
      const problem = keyword === "required" ? "is missing" : "is not a declared member";
      return { path: joinPath([...steps, member]), keyword, problem };
    },
  );
  return problems.length > 0 || !conversion ? problems : findConversionProblems(conversion, value);
}

function findConversionProblems(conversion: Conversion, value: unknown): ValueProblem[] {
  try {
    fromJson(conversion, value);
    return [];
  } catch (error) {
    // While a type is being derived, the types that it refers to may be unknown.
    if (!(error instanceof ConversionError)) return [];
    return error.failures.map(({ path, problem }) => ({
      path: joinPath(path),
      keyword: "conversion",
      problem,
    }));
  }
}
