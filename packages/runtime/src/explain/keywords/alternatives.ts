import { type JsonSchema, NOTHING, resolve, targetOf } from "../../protocol/json-schema.js";
import { equal } from "../../validation/json-values.js";
import { describeSchema } from "../describe-schema.js";
import { fitsAlternative } from "../fits-alternative.js";
import {
  flatAlternatives,
  nearestAlternative,
  possibleAlternatives,
  wrongDiscriminator,
} from "../intended-alternative.js";
import type { Requirement } from "../problem.js";
import { collect, collectInside, findProblems, keyword, type KeywordCheck, type Search } from "../search.js";
import { shorten } from "../show-value.js";
import { hasMember, reportMissing } from "./objects.js";

/** Keywords of types that are one of several, or refer to themselves. */
export const alternativeKeywords: readonly KeywordCheck[] = [
  keyword("$ref", "any", collectOfTarget),
  keyword("$dynamicRef", "any", collectOfTarget),
  keyword(
    "const",
    "any",
    (constant: unknown, value: unknown) => !equal(constant, value) && (() => `be ${shorten(constant)}`),
  ),
  keyword(
    "anyOf",
    "any",
    (branches: JsonSchema[], value: unknown, schema, search) =>
      !branches.some((branch) => fitsAlternative(branch, value, search)) &&
      collectOfIntended(branches, value, schema, search),
  ),
  keyword(
    "oneOf",
    "any",
    (branches: JsonSchema[], value: unknown, schema, search) =>
      branches.filter((branch) => fitsAlternative(branch, value, search)).length !== 1 &&
      collectOfIntended(branches, value, schema, search),
  ),
  keyword("allOf", "any", (parts: JsonSchema[], value: unknown, _, search) => {
    for (const part of parts) collect(part, value, search);
  }),
];

function collectOfTarget(_reference: string, value: unknown, schema: JsonSchema, search: Search): void {
  const target = targetOf(schema, search.root);
  if (target === undefined || resolve(target, search.root) === NOTHING) return;
  if (isFirstComparison(target, value, search)) collect(target, value, search);
}

/** The problems of the alternative that was clearly meant stand for those of all; otherwise all are named. */
function collectOfIntended(
  branches: readonly JsonSchema[],
  value: unknown,
  schema: JsonSchema,
  search: Search,
): Requirement | undefined {
  const whole = (): string => `be ${describeSchema(schema, search.root)}`;
  // Whoever asks whether a value fits does not ask why.
  if (search.most === 0) return whole;
  const { path } = search;
  search.found = search.found.filter(({ steps }) => path.some((step, index) => step !== steps[index]));
  const before = search.found.length;
  const alternatives = flatAlternatives(branches, search.root);
  const possible = possibleAlternatives(value, alternatives, search);
  const intended = possible.length > 1 ? nearestAlternative(possible, value, search) : possible[0];
  if (intended !== undefined) collect(intended, value, search);
  else collectOfDiscriminator(alternatives, value, search);
  if (search.found.length > before) return undefined;
  return requirementOfEach(possible, value, search) ?? whole;
}

/** Where objects show by a member which alternative they are, that member is what is wrong. */
function collectOfDiscriminator(alternatives: readonly JsonSchema[], value: unknown, search: Search): void {
  const found = wrongDiscriminator(alternatives, value);
  if (found === undefined) return;
  const { name, schema } = found;
  const members = value as Record<string, unknown>;
  if (hasMember(members, name)) collectInside(name, schema, members[name], search);
  else reportMissing(name, members, { properties: { [name]: schema } }, search);
}

/** What each of several types asks of a text or a number, where one sentence can say it. */
function requirementOfEach(
  possible: readonly JsonSchema[],
  value: unknown,
  search: Search,
): Requirement | undefined {
  if (possible.length < 2 || (typeof value === "object" && value !== null)) return undefined;
  const problems = possible.map((each) => findProblems(each, value, search, 1)[0]);
  if (problems.some((problem) => problem === undefined)) return undefined;
  // The name that may have been meant comes last, where it belongs to what was just said.
  const isChoice = (problem: (typeof problems)[number]): number => Number(problem?.keyword === "enum");
  const ordered = problems.toSorted((a, b) => isChoice(a) - isChoice(b));
  return (noun) => [...new Set(ordered.map((problem) => problem?.requirement(noun)))].join(" or ");
}

/** Holding the same value in the same place against the same schema again would find the same. */
function isFirstComparison(schema: JsonSchema, value: unknown, search: Search): boolean {
  if (typeof value !== "object" || value === null) return true;
  search.compared ??= new Map();
  const schemas = search.compared.get(value) ?? new Set();
  search.compared.set(value, schemas);
  if (schemas.has(schema)) return false;
  schemas.add(schema);
  return true;
}
