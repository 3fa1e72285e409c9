import { keyword, type KeywordCheck } from "../search.js";
import { NUMBER_LIMITS } from "./number-limits.js";

export const numberKeywords: readonly KeywordCheck[] = NUMBER_LIMITS.map(
  ({ keyword: name, isExceeded, formatRequirement }) =>
    keyword(
      name,
      "number",
      (limit: number, value: number) => isExceeded(value, limit) && (() => formatRequirement(limit)),
    ),
);
