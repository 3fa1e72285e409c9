import type { Features } from "../features.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { alternatives } from "./alternatives.js";
import { formats } from "./format-keyword.js";
import { allowances, read } from "./coercion.js";
import { anyKeywords, containerKeywords, scalarKeywords } from "./plain-keywords.js";
import { keywords } from "./rarer-keywords.js";
import { reports } from "./reports.js";
import { secrets } from "./secrets.js";
import type { Rule, Vocabulary } from "./vocabulary.js";
import { describe, describeObject, show } from "./words.js";

type SchemaFeatures = Pick<
  Features,
  "allowances" | "alternatives" | "formats" | "keywords" | "reports" | "secrets"
>;

/** What a server reads its schemas with. */
export function createVocabulary(features: SchemaFeatures): Vocabulary {
  const rules: readonly Rule[] = [
    ...anyKeywords,
    ...(features.alternatives?.rules ?? []),
    ...scalarKeywords,
    ...(features.keywords?.rules ?? []),
    ...(features.formats?.rules ?? []),
    ...containerKeywords,
    ...(features.keywords?.lateRules ?? []),
  ];
  return {
    rulesOf: (schema) => rules.filter(({ keyword }) => schema[keyword] !== undefined),
    equal: (left, right) => left === right,
    describe,
    describeObject,
    examples: {},
    read,
    show,
    ...features.alternatives,
    ...features.keywords,
    ...features.formats,
    ...features.secrets,
    ...features.reports,
    allowances: features.allowances,
  };
}

/** For schemas of which nobody knows what they hold until the server runs. */
export const fullVocabulary: Vocabulary = /* @__PURE__ */ remembering(
  /* @__PURE__ */ createVocabulary({ allowances, alternatives, formats, keywords, reports, secrets }),
);

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
