/**
 * Every problem of a value that a compiled validator has refused. Validators only say yes or no, which keeps them small
 * and fast; why not is found here, from the schema itself, and only when somebody has to be told.
 * @module
 */
import { type JsonSchema, type JsonTypeName, NOTHING, typeOf } from "../protocol/json-schema.js";
import type { Problem, Requirement } from "./problem.js";

/** What stays the same while values are held against one schema. */
export interface Scope {
  /** Where references lead. */
  readonly root: JsonSchema;
  /** In the order in which problems are told. */
  readonly checks: readonly KeywordCheck[];
  /** What has been found out already, by question, value and schema. */
  readonly known: Map<Question, Map<unknown, Map<object, unknown>>>;
}

/** What is asked about a value and a schema more than once. */
export type Question = "fits" | "distance" | "problems" | "coerced";

/** Holds values against one keyword. */
export interface KeywordCheck<Limit = never, Value = never> {
  readonly keyword: string;
  /** The type of value that the keyword is about. */
  readonly only: JsonTypeName | "any";
  /**
   * What is wrong with a value itself, by the keyword's own value; what is wrong inside of it is added to the search.
   */
  check(
    limit: Limit,
    value: Value,
    schema: JsonSchema,
    search: Search,
  ): Requirement | false | undefined | void;
}

export interface Search extends Scope {
  found: Problem[];
  /** Where the search is. */
  readonly path: (string | number)[];
  /** The definitions that a value has been held against. */
  compared?: Map<object, Set<JsonSchema>>;
  /** Beyond so many problems the rest is not looked for. */
  readonly most: number;
}

/**
 * @param most Stops soon after so many problems.
 * @example
 * findProblems({ type: "object", required: ["city"] }, {}, scope, 10)
 * // [{ steps: [], keyword: "required", member: "city", … }]
 */
export function findProblems(schema: JsonSchema, value: unknown, scope: Scope, most: number): Problem[] {
  const { root, checks, known } = scope;
  const search: Search = { root, checks, known, found: [], path: [], most };
  collect(schema, value, search);
  return search.found;
}

/** True when nothing known here speaks against a value. Ends soon after the first problem. */
export function fits(schema: JsonSchema, value: unknown, scope: Scope): boolean {
  return findProblems(schema, value, scope, 0).length === 0;
}

/** Adds the problems of a value in its place to those found. */
export function collect(schema: JsonSchema, value: unknown, search: Search): void {
  if (search.found.length > search.most) return;
  // Authors may write `true` and `false` where a schema stands.
  if ((schema as unknown) === false)
    report(search, { keyword: "false schema", schema: NOTHING, value, requirement: () => "be left out" });
  if (typeof schema !== "object") return;
  const type = typeOf(value);
  for (const { keyword, only, check } of search.checks) {
    const limit = schema[keyword];
    if (limit === undefined) continue;
    const isMeant = only === "any" || only === type || (only === "number" && type === "integer");
    if (!isMeant) continue;
    const requirement = check(limit as never, value as never, schema, search);
    if (requirement) report(search, { keyword, schema, value, requirement });
  }
}

/** Adds the problems of a member or an item. */
export function collectInside(
  step: string | number,
  schema: JsonSchema,
  value: unknown,
  search: Search,
): void {
  search.path.push(step);
  collect(schema, value, search);
  search.path.pop();
}

/** For the tables of keywords. */
export function keyword<Limit, Value>(
  name: string,
  only: KeywordCheck["only"],
  check: KeywordCheck<Limit, Value>["check"],
): KeywordCheck<Limit, Value> {
  return { keyword: name, only, check };
}

/** Adds a problem of the value that the search is at. */
export function report({ found, path }: Search, problem: Omit<Problem, "steps">): void {
  found.push({ steps: [...path], ...problem });
}
