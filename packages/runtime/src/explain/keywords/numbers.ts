import { keyword, type KeywordCheck } from "../search.js";

export const numberKeywords: readonly KeywordCheck[] = [
  keyword(
    "maximum",
    "number",
    (limit: number, value: number) => value > limit && (() => `be at most ${String(limit)}`),
  ),
  keyword(
    "minimum",
    "number",
    (limit: number, value: number) => value < limit && (() => `be at least ${String(limit)}`),
  ),
  keyword(
    "exclusiveMaximum",
    "number",
    (limit: number, value: number) => value >= limit && (() => `be less than ${limit}`),
  ),
  keyword(
    "exclusiveMinimum",
    "number",
    (limit: number, value: number) => value <= limit && (() => `be more than ${limit}`),
  ),
  keyword(
    "multipleOf",
    "number",
    (factor: number, value: number) => !isMultiple(value, factor) && (() => `be a multiple of ${factor}`),
  ),
];

function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  // What compiled validators do, which for huge quotients is not `Number.isInteger`.
  return factor !== 0 && quotient === Number.parseInt(String(quotient), 10);
}
