/**
 * Every problem of a value that a compiled validator has refused. The validators that are compiled from schemas of
 * the keywords known here only say yes or no, which keeps them small and fast; why not is found here, from the
 * schema itself, and only when somebody has to be told.
 * @module
 */
import { type JsonSchema, typeOf } from "../protocol/json-schema.js";
import type { Problem, Rule, Scope, Search } from "./vocabulary.js";

/**
 * @param most Stops soon after so many problems.
 * @example
 * findProblems({ type: "object", required: ["city"] }, {}, scope, 10)
 * // [{ steps: [], keyword: "required", member: "city", … }]
 */
export function findProblems(
  schema: JsonSchema,
  value: unknown,
  { root, vocabulary, known }: Scope,
  most: number,
): Problem[] {
  const search: Search = { root, vocabulary, found: [], path: [], most, known };
  look(schema, value, search);
  return search.found;
}

/** True when nothing known here speaks against a value. Ends soon after the first problem. */
export function fits(schema: JsonSchema, value: unknown, scope: Scope): boolean {
  return findProblems(schema, value, scope, 0).length === 0;
}

/** Adds the problems of a value in its place to those found. */
export function look(schema: JsonSchema, value: unknown, search: Search): void {
  // Authors may write `true` where a schema stands.
  if (typeof schema !== "object" || search.found.length > search.most) return;
  const type = typeOf(value);
  for (const rule of search.vocabulary.rulesOf(schema)) {
    const { keyword, only } = rule;
    const isMeant = only === "any" || only === type || (only === "number" && type === "integer");
    if (!isMeant) continue;
    const words = rule.check(schema[keyword] as never, value as never, schema, search);
    if (words) report(search, { keyword, schema, value, words });
  }
}

/** Looks at a member or an item. */
export function lookInside(step: string | number, schema: JsonSchema, value: unknown, search: Search): void {
  search.path.push(step);
  look(schema, value, search);
  search.path.pop();
}

/** For the tables of keywords. */
export function rule<Limit, Value>(
  keyword: string,
  only: Rule["only"],
  check: Rule<Limit, Value>["check"],
): Rule<Limit, Value> {
  return { keyword, only, check };
}

export function report({ found, path }: Search, problem: Omit<Problem, "steps">): void {
  found.push({ steps: [...path], ...problem });
}
