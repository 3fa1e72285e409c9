/**
 * Keywords that apply schemas under a condition, to names, or to some items. Types hardly ever come to them; authors who
 * write a schema themselves do.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-a-vocabulary-for-applying-subschemas
 * @module
 */
import type { JsonSchema } from "../../protocol/json-schema.js";
import { count, describeSchema } from "../describe-schema.js";
import { fitsAlternative } from "../fits-alternative.js";
import { collect, keyword, type KeywordCheck, report, type Search } from "../search.js";
import { shorten } from "../show-value.js";
import { hasMember, reportMissing } from "./objects.js";

export const conditionalKeywords: readonly KeywordCheck[] = [
  keyword(
    "not",
    "any",
    (unwanted: JsonSchema, value: unknown, _, search) =>
      fitsAlternative(unwanted, value, search) && (() => "NOT be valid"),
  ),
  keyword("if", "any", (condition: JsonSchema, value: unknown, { then, else: otherwise }, search) => {
    const branch = fitsAlternative(condition, value, search) ? then : otherwise;
    if (branch !== undefined) collect(branch as JsonSchema, value, search);
  }),
  keyword("dependentRequired", "object", needEach),
  keyword("dependentSchemas", "object", applyEach),
  // Of earlier drafts, which ajv takes for either of the above.
  keyword(
    "dependencies",
    "object",
    (all: Record<string, string[] | JsonSchema>, value: object, schema, search) => {
      const entries = Object.entries(all);
      const isList = ([, each]: [string, unknown]): boolean => Array.isArray(each);
      needEach(Object.fromEntries(entries.filter(isList)) as Record<string, string[]>, value, schema, search);
      const schemas = entries.filter((each) => !isList(each));
      applyEach(Object.fromEntries(schemas) as Record<string, JsonSchema>, value, schema, search);
    },
  ),
  keyword("propertyNames", "object", (wanted: JsonSchema, value: object, schema, search) => {
    for (const name of Object.keys(value)) {
      if (fitsAlternative(wanted, name, search)) continue;
      report(search, {
        keyword: "propertyNames",
        schema,
        value,
        requirement: () => `not have a member ${shorten(name)}${namesWanted(wanted)}`,
      });
    }
  }),
  keyword(
    "contains",
    "array",
    (wanted: JsonSchema, list: unknown[], { minContains = 1, maxContains }, search) => {
      const found = list.filter((item) => fitsAlternative(wanted, item, search)).length;
      const requirement = (limit: string, of: unknown) => (): string =>
        `have at ${limit} ${count(Number(of), "item")} that ${of === 1 ? "is" : "are each"} ` +
        describeSchema(wanted, search.root);
      if (found < Number(minContains)) return requirement("least", minContains);
      return maxContains !== undefined && found > Number(maxContains) && requirement("most", maxContains);
    },
  ),
];

/** Members that others need beside them. */
function needEach(needs: Record<string, string[]>, value: object, schema: JsonSchema, search: Search): void {
  for (const [name, needed] of Object.entries(needs)) {
    if (!hasMember(value, name)) continue;
    for (const member of needed) if (!hasMember(value, member)) reportMissing(member, value, schema, search);
  }
}

/** What some members ask of the whole. */
function applyEach(
  schemas: Record<string, JsonSchema>,
  value: object,
  _schema: JsonSchema,
  search: Search,
): void {
  for (const [name, each] of Object.entries(schemas))
    if (hasMember(value, name)) collect(each, value, search);
}

function namesWanted({ pattern, anyOf = [] }: JsonSchema): string {
  const wanted = pattern ?? anyOf.find((each) => each.pattern !== undefined)?.pattern;
  return wanted === undefined ? "" : `, since names must match the pattern ${wanted}`;
}
