import { findKeyword, LIMITS } from "@tenon/compiler/keywords";
import { judgeItems, judgeMembers, judgeOthers, judgeOtherMembers } from "./nested-keywords.js";
import {
  judgeDefault,
  judgeFile,
  judgeHeader,
  judgeLowerLimits,
  judgeRules,
  judgeType,
  judgeUpperLimits,
  judgeValues,
  judgeWording,
} from "./scalar-keywords.js";
import type { KeywordJudge } from "./schema-change.js";

function getBoundKeywords(bound: "lower" | "upper" | undefined): string[] {
  return LIMITS.filter((name) => findKeyword(name)?.bound === bound);
}

/**
 * The function that judges changes of each JSON Schema keyword, in the order in which changes are reported. Keywords that
 * depend on each other share a row.
 */
export const KEYWORDS: readonly { readonly keywords: readonly string[]; readonly judge: KeywordJudge }[] = [
  { keywords: ["type"], judge: judgeType },
  { keywords: ["const", "enum"], judge: judgeValues },
  { keywords: [...getBoundKeywords("lower"), "minProperties"], judge: judgeLowerLimits },
  { keywords: [...getBoundKeywords("upper"), "maxProperties"], judge: judgeUpperLimits },
  { keywords: getBoundKeywords(undefined), judge: judgeRules },
  { keywords: ["properties", "required"], judge: judgeMembers },
  { keywords: ["additionalProperties"], judge: judgeOtherMembers },
  { keywords: ["items", "prefixItems"], judge: judgeItems },
  { keywords: ["x-mcp-header"], judge: judgeHeader },
  { keywords: ["x-mcp-file", "contentMediaType"], judge: judgeFile },
  {
    keywords: ["title", "description", "examples", "deprecated", "enumNames", "writeOnly"],
    judge: judgeWording,
  },
  { keywords: ["default"], judge: judgeDefault },
  { keywords: ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "contains"], judge: judgeOthers },
  { keywords: ["patternProperties", "propertyNames", "unevaluatedProperties"], judge: judgeOthers },
  { keywords: ["dependentRequired", "dependentSchemas", "unevaluatedItems"], judge: judgeOthers },
];
