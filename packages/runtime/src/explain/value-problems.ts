/**
 * What the server makes of a JSON value, for tools that have its schema at hand: the compiler asks about defaults
 * and examples before any client can.
 *
 * @example
 * import { valueProblems } from "@tenon/runtime/value-problems";
 * @module
 */
import type { Conversion } from "../manifest.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { ConversionError, fromJson } from "../values/conversion.js";
import { joinPath } from "./issues.js";
import { createScope } from "./keywords/table.js";
import { findProblems } from "./search.js";

/** One thing that is wrong with a value. */
export interface ValueProblem {
  /** Where in the value, such as `trips[0].days`; empty for the value itself. */
  path: string;
  /** The keyword that is not satisfied. */
  keyword: string;
  /** The end of a sentence that begins with the place, such as "must be at least 1". */
  problem: string;
}

/** Of a value, so many problems are looked for. */
const MOST_PROBLEMS = 20;

/**
 * Why a running server would refuse a JSON value; nothing when it would take it.
 *
 * @param conversion what the value becomes, which has limits of its own
 * @example
 * valueProblems({ type: "string", format: "email" }, "a@b")
 * // [{ path: "", keyword: "format", problem: "must be a valid email" }]
 */
export function valueProblems(schema: JsonSchema, value: unknown, conversion?: Conversion): ValueProblem[] {
  const problems = findProblems(schema, value, createScope(schema), MOST_PROBLEMS).map(
    ({ steps, keyword, member, requirement }): ValueProblem => {
      if (member === undefined) {
        return { path: joinPath(steps), keyword, problem: `must ${requirement("member")}` };
      }
      const problem = keyword === "required" ? "is missing" : "is no declared member";
      return { path: joinPath([...steps, member]), keyword, problem };
    },
  );
  return problems.length > 0 || !conversion ? problems : conversionProblems(conversion, value);
}

function conversionProblems(conversion: Conversion, value: unknown): ValueProblem[] {
  try {
    fromJson(conversion, value);
    return [];
  } catch (error) {
    // While a type is being derived, what it refers to may not be known yet.
    if (!(error instanceof ConversionError)) return [];
    return error.failures.map(({ path, problem }) => ({
      path: joinPath(path),
      keyword: "conversion",
      problem,
    }));
  }
}
