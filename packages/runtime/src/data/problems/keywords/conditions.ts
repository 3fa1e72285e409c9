/**
 * Keywords that apply schemas under a condition, to names, or to some items. Schemas derived from types rarely have
 * them; schemas that authors write do.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-a-vocabulary-for-applying-subschemas
 * @module
 */
import type { JsonSchema } from "../../../protocol/json-schema.js";
import { formatCount, describeSchema } from "../describe-schema.js";
import { fitsAlternative } from "../fits-alternative.js";
import { collect, keyword, type KeywordCheck, report, type Search } from "../search.js";
import { hasMember, reportMissing } from "./objects.js";

export const conditionalKeywords: readonly KeywordCheck[] = [
  keyword(
    "not",
    "any",
    (unwanted: JsonSchema, value: unknown, _, search) =>
      fitsAlternative(unwanted, value, search) && (() => "not match the schema in `not`"),
  ),
  keyword("if", "any", (condition: JsonSchema, value: unknown, { then, else: otherwise }, search) => {
    const branch = fitsAlternative(condition, value, search) ? then : otherwise;
    if (branch !== undefined) collect(branch as JsonSchema, value, search);
  }),
  keyword("dependentRequired", "object", checkRequirements),
  keyword("dependentSchemas", "object", collectDependent),
  // A keyword of earlier drafts, which ajv treats as one of the two above.
  keyword(
    "dependencies",
    "object",
    (all: Record<string, string[] | JsonSchema>, value: object, schema, search) => {
      const entries = Object.entries(all);
      const isList = ([, each]: [string, unknown]): boolean => Array.isArray(each);
      checkRequirements(
        Object.fromEntries(entries.filter(isList)) as Record<string, string[]>,
        value,
        schema,
        search,
      );
      const schemas = entries.filter((each) => !isList(each));
      collectDependent(Object.fromEntries(schemas) as Record<string, JsonSchema>, value, schema, search);
    },
  ),
  keyword("propertyNames", "object", (wanted: JsonSchema, value: object, schema, search) => {
    for (const name of Object.keys(value)) {
      if (fitsAlternative(wanted, name, search)) continue;
      const requirement = (): string => describePattern(wanted);
      report(search, { keyword: "propertyNames", schema, value, member: name, requirement });
    }
  }),
  keyword(
    "contains",
    "array",
    (wanted: JsonSchema, list: unknown[], { minContains = 1, maxContains }, search) => {
      const found = list.filter((item) => fitsAlternative(wanted, item, search)).length;
      const formatRequirement = (limit: string, number: unknown) => (): string =>
        `have at ${limit} ${formatCount(Number(number), "item")} that ${number === 1 ? "is" : "are each"} ` +
        describeSchema(wanted, search.root);
      if (found < Number(minContains)) return formatRequirement("least", minContains);
      return (
        maxContains !== undefined && found > Number(maxContains) && formatRequirement("most", maxContains)
      );
    },
  ),
];

/** Reports missing members that other members require. */
function checkRequirements(
  needs: Record<string, string[]>,
  value: object,
  schema: JsonSchema,
  search: Search,
): void {
  for (const [name, needed] of Object.entries(needs)) {
    if (!hasMember(value, name)) continue;
    for (const member of needed) if (!hasMember(value, member)) reportMissing(member, value, schema, search);
  }
}

/** Collects the problems of an object with the schemas that its members require. */
function collectDependent(
  schemas: Record<string, JsonSchema>,
  value: object,
  _schema: JsonSchema,
  search: Search,
): void {
  for (const [name, each] of Object.entries(schemas))
    if (hasMember(value, name)) collect(each, value, search);
}

function describePattern({ pattern, anyOf = [] }: JsonSchema): string {
  const wanted = pattern ?? anyOf.find((each) => each.pattern !== undefined)?.pattern;
  return wanted === undefined ? "" : `; names must match the pattern ${wanted}`;
}
