import type { JsonSchema } from "../protocol/json-schema.js";
import { alternatives } from "./alternatives.js";
import { formats } from "./format-keyword.js";
import { allowances } from "./coercion.js";
import { anyKeywords, containerKeywords, scalarKeywords } from "./plain-keywords.js";
import { keywords } from "./rarer-keywords.js";
import { reports } from "./reports.js";
import { secrets } from "./secrets.js";
import type { Rule, Vocabulary } from "./vocabulary.js";

/** What a server reads its schemas with. */
function createVocabulary(): Vocabulary {
  const rules: readonly Rule[] = [
    ...anyKeywords,
    ...alternatives.rules,
    ...scalarKeywords,
    ...keywords.rules,
    ...formats.rules,
    ...containerKeywords,
    ...keywords.lateRules,
  ];
  return {
    rulesOf: (schema) => rules.filter(({ keyword }) => schema[keyword] !== undefined),
    ...alternatives,
    ...keywords,
    ...formats,
    ...secrets,
    ...reports,
    allowances,
  };
}

export const fullVocabulary: Vocabulary = /* @__PURE__ */ remembering(/* @__PURE__ */ createVocabulary());

/** Conversions ask about the same few schemas with each call. */
function remembering(vocabulary: Vocabulary): Vocabulary {
  const known = new WeakMap<JsonSchema, readonly Rule[]>();
  const rulesOf = (schema: JsonSchema): readonly Rule[] => {
    const found = known.get(schema) ?? vocabulary.rulesOf(schema);
    if (!known.has(schema)) known.set(schema, found);
    return found;
  };
  return { ...vocabulary, rulesOf };
}
