import type { JsonSchema } from "../../protocol/json-schema.js";
import type { KeywordCheck, Scope } from "../search.js";
import { alternativeKeywords } from "./alternatives.js";
import { arrayKeywords } from "./arrays.js";
import { conditionalKeywords } from "./conditions.js";
import { numberKeywords } from "./numbers.js";
import { objectKeywords } from "./objects.js";
import { textKeywords } from "./texts.js";
import { unevaluatedKeywords } from "./unevaluated.js";
import { valueKeywords } from "./values.js";

/** Every keyword of which the runtime can say why a value does not satisfy it, in the order in which problems are told. */
const KEYWORDS: readonly KeywordCheck[] = [
  ...valueKeywords,
  ...alternativeKeywords,
  ...numberKeywords,
  ...textKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...conditionalKeywords,
  ...unevaluatedKeywords,
];

/**
 * What values are held against.
 *
 * @param root where references lead
 * @param ignored a keyword to leave aside
 */
export function createScope(root: JsonSchema, ignored?: string): Scope {
  const checks = ignored === undefined ? KEYWORDS : KEYWORDS.filter(({ keyword }) => keyword !== ignored);
  return { root, checks, known: new Map() };
}
