import type { JsonSchema } from "../../../protocol/json-schema.js";
import type { KeywordCheck, Scope } from "../search.js";
import { alternativeKeywords } from "./alternatives.js";
import { arrayKeywords } from "./arrays.js";
import { conditionalKeywords } from "./conditions.js";
import { numberKeywords } from "./numbers.js";
import { objectKeywords } from "./objects.js";
import { stringKeywords } from "./strings.js";
import { unevaluatedKeywords } from "./unevaluated.js";
import { valueKeywords } from "./values.js";

/** All keywords whose problems the runtime can explain, in the order in which problems are reported. */
const KEYWORDS: readonly KeywordCheck[] = [
  ...valueKeywords,
  ...alternativeKeywords,
  ...numberKeywords,
  ...stringKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...conditionalKeywords,
  ...unevaluatedKeywords,
];

/**
 * Creates the scope in which values are compared with a schema.
 *
 * @param root the schema to which references are relative
 * @param ignored a keyword that is not checked
 * @param isOfResult whether the schema was derived from the type of a result; see `filterRelated` and `additionalProperties`
 * @param countComparison see `Scope`
 */
export function createScope(
  root: JsonSchema,
  ignored?: string,
  isOfResult = false,
  countComparison?: () => void,
): Scope {
  const checks = ignored === undefined ? KEYWORDS : KEYWORDS.filter(({ keyword }) => keyword !== ignored);
  return { root, checks, known: new Map(), isOfResult, countComparison };
}
