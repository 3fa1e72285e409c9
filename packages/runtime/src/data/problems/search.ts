/**
 * Finds every problem of a value that a compiled validator rejected. Validators only return true or false, which keeps
 * them small and fast. The reasons are found here, from the schema, and only if they are needed.
 * @module
 */
import { type JsonSchema, type JsonTypeName, ANY_VALUE, getJsonType } from "../../protocol/json-schema.js";
import type { Problem, Requirement } from "./problem.js";

/** The state that is shared while values are compared with one schema. */
export interface Scope {
  /** The schema to which references are relative. */
  readonly root: JsonSchema;
  /** The checks, in the order in which problems are reported. */
  readonly checks: readonly KeywordCheck[];
  /** Memoized results, by kind, value, and schema. */
  readonly known: Map<MemoKind, Map<unknown, Map<object, unknown>>>;
  /** Whether the values are results, whose undeclared members are removed. See `filterRelated`. */
  readonly isOfResult: boolean;
  /** Called before each comparison of a value with a schema; throws an error if there were too many. */
  readonly countComparison: (() => void) | undefined;
}

/** The kinds of results for a value and a schema that are memoized. */
export type MemoKind = "fits" | "distance" | "problems" | "coerced" | "undeclared";

/** Checks values against one keyword. */
export interface KeywordCheck<Limit = never, Value = never> {
  readonly keyword: string;
  /** The type of value that the keyword applies to. */
  readonly appliesTo: JsonTypeName | "any";
  /**
   * Returns the requirement that a value does not satisfy, given the value of the keyword. Problems inside the value
   * are added to the search.
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
  /** The path to the current value. */
  readonly path: (string | number)[];
  /** The definitions that a value has been compared with. */
  compared: Map<object, Set<JsonSchema>> | undefined;
  /** Number of problems after which the search stops. */
  readonly max: number;
  /** Number of levels below which parts of the value are not searched. */
  readonly maxLevels: number;
}

/**
 * Returns the problems of a value.
 *
 * @param max number of problems after which the search soon stops
 * @param maxLevels number of levels below which parts of the value are not searched
 * @example
 * findProblems({ type: "object", required: ["city"] }, {}, scope, 10)
 * // [{ steps: [], keyword: "required", member: "city", … }]
 */
export function findProblems(
  schema: JsonSchema,
  value: unknown,
  scope: Scope,
  max: number,
  maxLevels = Infinity,
): Problem[] {
  const search: Search = { ...scope, found: [], path: [], compared: undefined, max, maxLevels };
  collect(schema, value, search);
  return search.found;
}

/** Returns whether a value has no known problem. Stops soon after the first problem. */
export function fits(schema: JsonSchema, value: unknown, scope: Scope): boolean {
  return findProblems(schema, value, scope, 0).length === 0;
}

/** Adds the problems of the current value to the search. */
export function collect(schema: JsonSchema, value: unknown, search: Search): void {
  if (search.found.length > search.max) return;
  search.countComparison?.();
  // Authors may write `true` or `false` as a schema.
  if ((schema as unknown) === false)
    report(search, { keyword: "false schema", schema: ANY_VALUE, value, requirement: () => "be omitted" });
  if (typeof schema !== "object") return;
  const type = getJsonType(value);
  for (const { keyword, appliesTo, check } of search.checks) {
    const limit = schema[keyword];
    if (limit === undefined) continue;
    const applies =
      appliesTo === "any" || appliesTo === type || (appliesTo === "number" && type === "integer");
    if (!applies) continue;
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
  if (search.path.length === search.maxLevels) return;
  search.path.push(step);
  collect(schema, value, search);
  search.path.pop();
}

/** Creates a row for the table of keywords. */
export function keyword<Limit, Value>(
  name: string,
  appliesTo: KeywordCheck["appliesTo"],
  check: KeywordCheck<Limit, Value>["check"],
): KeywordCheck<Limit, Value> {
  return { keyword: name, appliesTo, check };
}

/** Adds a problem of the current value. */
export function report({ found, path }: Search, problem: Omit<Problem, "steps">): void {
  found.push({ steps: [...path], ...problem });
}
