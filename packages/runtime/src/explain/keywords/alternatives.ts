import { type JsonSchema, NOTHING, resolve, targetOf } from "../../protocol/json-schema.js";
import { equal } from "../../validation/json-values.js";
import { describeSchema } from "../describe-schema.js";
import { fitsAlternative, nearestAlternative, possibleAlternatives } from "../intended-alternative.js";
import type { Requirement } from "../problem.js";
import { collect, keyword, type KeywordCheck, type Search } from "../search.js";
import { shorten } from "../show-value.js";

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
  // Whoever asks whether a value fits does not ask why.
  if (search.most > 0) {
    const { path } = search;
    search.found = search.found.filter(({ steps }) => path.some((step, index) => step !== steps[index]));
    const before = search.found.length;
    const possible = possibleAlternatives(value, branches, search);
    const intended = possible.length > 1 ? nearestAlternative(possible, value, search) : possible[0];
    if (intended !== undefined) collect(intended, value, search);
    if (search.found.length > before) return undefined;
  }
  return () => `be ${describeSchema(schema, search.root)}`;
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
