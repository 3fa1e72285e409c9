import { type JsonSchema, ANY_VALUE, resolve, findTarget } from "../../../protocol/json-schema.js";
import { isObject } from "../../../protocol/jsonrpc.js";
import { equal } from "../../validation/json-values.js";
import { describeSchema } from "../describe-schema.js";
import { filterRelated, fitsAlternative } from "../fits-alternative.js";
import {
  flattenAlternatives,
  findNearestAlternative,
  findPossibleAlternatives,
  findWrongDiscriminator,
} from "../intended-alternative.js";
import { findMemberSchemas } from "../member-schemas.js";
import type { Requirement } from "../problem.js";
import {
  collect,
  collectInside,
  findProblems,
  fits,
  keyword,
  type KeywordCheck,
  type Search,
} from "../search.js";
import { shorten } from "../shorten.js";
import { hasMember, reportMissing } from "./objects.js";

/** Keywords of references, constants, and alternatives. */
export const alternativeKeywords: readonly KeywordCheck[] = [
  keyword("$ref", "any", collectFromTarget),
  keyword("$dynamicRef", "any", collectFromTarget),
  keyword(
    "const",
    "any",
    (constant: unknown, value: unknown) => !equal(constant, value) && (() => `be ${shorten(constant)}`),
  ),
  keyword(
    "anyOf",
    "any",
    (branches: JsonSchema[], value: unknown, schema, search) =>
      !filterRelated(branches, value, search).some((branch) => fitsAlternative(branch, value, search)) &&
      collectFromIntended(branches, value, schema, search),
  ),
  keyword(
    "oneOf",
    "any",
    (branches: JsonSchema[], value: unknown, schema, search) =>
      branches.filter((branch) => fitsAlternative(branch, value, search)).length !== 1 &&
      collectFromIntended(branches, value, schema, search),
  ),
  keyword("allOf", "any", (parts: JsonSchema[], value: unknown, _, search) => {
    for (const part of parts) collect(part, value, search);
  }),
];

function collectFromTarget(_reference: string, value: unknown, schema: JsonSchema, search: Search): void {
  const target = findTarget(schema, search.root);
  if (target === undefined || resolve(target, search.root) === ANY_VALUE) return;
  if (isFirstComparison(target, value, search)) collect(target, value, search);
}

/**
 * Collects the problems of the alternative that was clearly meant. Otherwise, the requirement names all alternatives.
 */
function collectFromIntended(
  branches: readonly JsonSchema[],
  value: unknown,
  schema: JsonSchema,
  search: Search,
): Requirement | undefined {
  const describeWhole = (): string => `be ${describeSchema(schema, search.root)}`;
  // The caller only needs to know whether the value fits.
  if (search.max === 0) return describeWhole;
  const { path } = search;
  search.found = search.found.filter(({ steps }) => path.some((step, index) => step !== steps[index]));
  const before = search.found.length;
  const alternatives = flattenAlternatives(branches, search.root);
  const possible = findPossibleAlternatives(value, alternatives, search);
  const intended = possible.length > 1 ? findNearestAlternative(possible, value, search) : possible[0];
  const numbers =
    intended?.enum && typeof value === "string" && !search.isOfResult ? filterNumbers(alternatives) : [];
  // Numbers may be sent as text, which then need not be one of the choices.
  if (intended && numbers.length > 0) return combineRequirements([...numbers, intended], value, search);
  if (intended !== undefined) collect(intended, value, search);
  else collectFromDiscriminator(alternatives, value, search);
  if (search.found.length === before) collectFromSharedMembers(possible, value, search);
  if (search.found.length > before) return undefined;
  if (mixesAlternatives(possible, value, search))
    return () => `be ${describeSchema(schema, search.root)}, with members of only one of them`;
  return combineRequirements(possible, value, search) ?? describeWhole;
}

function filterNumbers(alternatives: readonly JsonSchema[]): JsonSchema[] {
  return alternatives.filter(
    ({ type, enum: values }) => values === undefined && (type === "number" || type === "integer"),
  );
}

/**
 * Returns whether all that is wrong with an object is that it has the members of several alternatives. Only `fits` is
 * memoized: searching for problems would double the work at each level of a type that refers to itself.
 */
function mixesAlternatives(possible: readonly JsonSchema[], value: unknown, search: Search): boolean {
  if (!isObject(value)) return false;
  const isFull = (each: JsonSchema): boolean => {
    const { additionalProperties, ...open } = resolve(each, search.root);
    return additionalProperties === false && fits(open, value, search);
  };
  return possible.filter(isFull).length > 1;
}

/** Collects the problem of a member or item that should show which alternative a value is, but does not. */
function collectFromDiscriminator(alternatives: readonly JsonSchema[], value: unknown, search: Search): void {
  const found = findWrongDiscriminator(alternatives, value, search.root);
  if (found === undefined) return;
  const { step, schema } = found;
  const members = value as Record<string, unknown>;
  if (typeof step === "number" || hasMember(members, step))
    collectInside(step, schema, members[step], search);
  else reportMissing(step, members, { properties: { [step]: schema } }, search);
}

/** Collects the problems of members that all alternatives declare, and that are wrong in each of them. */
function collectFromSharedMembers(possible: readonly JsonSchema[], value: unknown, search: Search): void {
  if (possible.length < 2 || !isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const wanted = possible.flatMap((each) => findMemberSchemas(each, name).slice(0, 1));
    const isWrong = wanted.length === possible.length && !wanted.some((each) => fits(each, member, search));
    if (isWrong) collectInside(name, { anyOf: wanted }, member, search);
  }
}

/** Combines the requirements of several types for a string or a number into one, if each has a requirement. */
function combineRequirements(
  possible: readonly JsonSchema[],
  value: unknown,
  search: Search,
): Requirement | undefined {
  if (possible.length < 2 || (typeof value === "object" && value !== null)) return undefined;
  const problems = possible.map((each) => findProblems(each, value, search, 1)[0]);
  if (problems.some((problem) => problem === undefined)) return undefined;
  // The choices come last, because a suggestion may follow them.
  const getRank = (problem: (typeof problems)[number]): number => Number(problem?.keyword === "enum");
  const ordered = problems.toSorted((a, b) => getRank(a) - getRank(b));
  return (noun) => {
    const [first = "", ...others] = new Set(ordered.map((problem) => problem?.requirement(noun) ?? ""));
    return [first, ...others.map((each) => (first.startsWith("be ") ? each.replace(/^be /, "") : each))].join(
      " or ",
    );
  };
}

/** Returns whether a value has not been compared with a schema yet. Comparing it again would find the same problems. */
function isFirstComparison(schema: JsonSchema, value: unknown, search: Search): boolean {
  if (typeof value !== "object" || value === null) return true;
  search.compared ??= new Map();
  const schemas = search.compared.get(value) ?? new Set();
  search.compared.set(value, schemas);
  if (schemas.has(schema)) return false;
  schemas.add(schema);
  return true;
}
