import type { JsonSchema } from "../../../protocol/json-schema.js";
import { uniqueItems } from "../../validation/json-values.js";
import { formatCount } from "../describe-schema.js";
import { collectInside, keyword, type KeywordCheck } from "../search.js";

export const arrayKeywords: readonly KeywordCheck[] = [
  keyword(
    "maxItems",
    "array",
    (limit: number, list: unknown[]) =>
      list.length > limit && (() => `have at most ${formatCount(limit, "item")}`),
  ),
  keyword(
    "minItems",
    "array",
    (limit: number, list: unknown[]) =>
      list.length < limit && (() => `have at least ${formatCount(limit, "item")}`),
  ),
  keyword("prefixItems", "array", (schemas: JsonSchema[], list: unknown[], _, search) => {
    for (const [index, each] of schemas.slice(0, list.length).entries()) {
      collectInside(index, each, list[index], search);
    }
  }),
  keyword("items", "array", (items: JsonSchema | boolean, list: unknown[], { prefixItems = [] }, search) => {
    const first = prefixItems.length;
    if (items === false) return list.length > first && (() => `have at most ${formatCount(first, "item")}`);
    if (items === true) return undefined;
    for (let index = first; index < list.length; index++) collectInside(index, items, list[index], search);
  }),
  keyword(
    "uniqueItems",
    "array",
    (isWanted: boolean, list: unknown[]) =>
      isWanted && !uniqueItems(list) && (() => "not contain the same item twice"),
  ),
];
