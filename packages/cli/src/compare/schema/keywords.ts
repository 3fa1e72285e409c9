import { findKeyword, LIMITS } from "@tenon/compiler/keywords";
import {
  compareItems,
  compareMembers,
  reportDifferentKeywords,
  compareOtherMembers,
} from "./nested-keywords.js";
import {
  compareDefaults,
  compareFileTypes,
  compareHeaders,
  compareLowerLimits,
  compareRules,
  compareTypes,
  compareUpperLimits,
  compareValues,
  compareAnnotations,
} from "./scalar-keywords.js";
import type { CompareKeywords } from "./schema-change.js";

function getBoundKeywords(bound: "lower" | "upper" | undefined): string[] {
  return LIMITS.filter((name) => findKeyword(name)?.bound === bound);
}

/**
 * The function that compares each JSON Schema keyword, in the order in which changes are reported. Keywords that
 * depend on each other share a row.
 */
export const KEYWORDS: readonly {
  readonly keywords: readonly string[];
  readonly compare: CompareKeywords;
}[] = [
  { keywords: ["type"], compare: compareTypes },
  { keywords: ["const", "enum"], compare: compareValues },
  { keywords: [...getBoundKeywords("lower"), "minProperties"], compare: compareLowerLimits },
  { keywords: [...getBoundKeywords("upper"), "maxProperties"], compare: compareUpperLimits },
  { keywords: getBoundKeywords(undefined), compare: compareRules },
  { keywords: ["properties", "required"], compare: compareMembers },
  { keywords: ["additionalProperties"], compare: compareOtherMembers },
  { keywords: ["items", "prefixItems"], compare: compareItems },
  { keywords: ["x-mcp-header"], compare: compareHeaders },
  { keywords: ["x-mcp-file", "contentMediaType"], compare: compareFileTypes },
  {
    keywords: ["title", "description", "examples", "deprecated", "enumNames", "writeOnly"],
    compare: compareAnnotations,
  },
  { keywords: ["default"], compare: compareDefaults },
  {
    keywords: ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "contains"],
    compare: reportDifferentKeywords,
  },
  {
    keywords: ["patternProperties", "propertyNames", "unevaluatedProperties"],
    compare: reportDifferentKeywords,
  },
  {
    keywords: ["dependentRequired", "dependentSchemas", "unevaluatedItems"],
    compare: reportDifferentKeywords,
  },
];
