import { formats, isMultiple, uniqueItems } from "@tenon/runtime/validation";
import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { Ajv2020, type AnySchemaObject, type ErrorObject } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
// Internal: random schemas and values are tested against ajv, without a project for each.
import { withoutRequiredDefaults } from "../../packages/compiler/src/emit/validators/validator-modules.js";
import { createScope } from "../../packages/runtime/src/data/problems/keywords/table.js";
import { describeIssues } from "../../packages/runtime/src/data/explanations/issues.js";
import { findProblems, fits } from "../../packages/runtime/src/data/problems/search.js";
import type { Problem } from "../../packages/runtime/src/data/problems/problem.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { randomSchema, randomValue, rarerSchema } from "./random-schemas.js";
import { compiledValidator } from "../support/compiled-validator.js";
import { nearMiss } from "./random-types.js";
import { generateValues } from "./schema-values.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;

/** Validators that report all problems, and fill in defaults as compiled validators do. */
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  useDefaults: true,
  messages: false,
  logger: false,
  formats,
});
// ajv's implementation examines only items of the right type.
ajv.removeKeyword("uniqueItems");
ajv.addKeyword({
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (wanted: boolean, items: unknown[]) => !wanted || uniqueItems(items),
});

// ajv's implementation divides floating-point numbers.
ajv.removeKeyword("multipleOf");
ajv.addKeyword({
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  validate: (factor: number, value: number) => isMultiple(value, factor),
});

/** Returns a function that lists the errors that ajv finds in a value. */
function compileWithAjv(schema: JsonSchema): (value: JsonValue) => ErrorObject[] {
  // With this option, ajv generates invalid code for some patterns.
  ajv.opts.unevaluated = JSON.stringify(schema).includes('"unevaluated');
  const validate = ajv.compile(schema as AnySchemaObject);
  // For `contains`, a mismatch of a single item is not an error; for `propertyNames`, a name has no separate location.
  const isMeant = ({ schemaPath }: ErrorObject): boolean =>
    !/\/(?:contains|propertyNames)\//.test(schemaPath);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).filter(isMeant));
}

/** Keywords that ajv does not report with their own values. */
const NAMED_ALONE = new Set(["uniqueItems", "multipleOf", "contains", "propertyNames"]);

/** The location, keyword, and message of a problem. */
type Comparable = readonly [place: string, keyword: string, says: unknown];

function fromAjv({ instancePath, keyword, params }: ErrorObject): Comparable {
  if (NAMED_ALONE.has(keyword)) return [instancePath, keyword, undefined];
  return [instancePath, keyword, Object.values(params).at(-1)];
}

function fromTenon({ steps, keyword, schema, member }: Problem): Comparable {
  const place = steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  if (keyword === "items") return [place, keyword, schema.prefixItems?.length ?? 0];
  return [place, keyword, NAMED_ALONE.has(keyword) ? undefined : (member ?? schema[keyword])];
}

const isUnion = ([, keyword]: Comparable): boolean => keyword === "anyOf" || keyword === "oneOf";

function isInside([place]: Comparable, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}/`);
}

/**
 * Expects the same problems. For a union without a fitting alternative, ajv reports the problems of each alternative,
 * and Tenon those of the intended one, so only the presence of problems is compared there.
 */
function expectSame(found: readonly Comparable[], expected: readonly Comparable[], context: string): void {
  const places = [...new Set(expected.filter(isUnion).map(([place]) => place))];
  const unions = places.filter(
    (place) => !places.some((each) => each !== place && isInside([place, "", ""], each)),
  );
  const outside = (each: Comparable): boolean => !unions.some((place) => isInside(each, place));
  const toSortedTexts = (all: readonly Comparable[]): string[] =>
    all
      .filter(outside)
      .map((each) => JSON.stringify(each))
      .sort();
  expect(toSortedTexts(found), context).toEqual(toSortedTexts(expected));
  for (const place of unions)
    expect(
      found.some((each) => isInside(each, place)),
      context,
    ).toBe(true);
}

/** Compares the compiled validator, and the problems that are found after it, with ajv. */
function judge(schema: JsonSchema): (value: JsonValue) => boolean {
  const emitted = withoutRequiredDefaults(schema);
  const expected = compileWithAjv(emitted);
  const validate = compiledValidator(emitted);
  const filled = JSON.stringify(schema).includes('"default":');
  return (value) => {
    const errors = expected(structuredClone(value));
    const received = structuredClone(value);
    const context = `${JSON.stringify(value)} for ${JSON.stringify(schema)}`;
    expect(validate(received), context).toBe(errors.length === 0);
    // A default filled in by one part of a schema may be a problem to another, depending on which came first.
    if (filled) return errors.length === 0;
    const scope = createScope(schema);
    const found = findProblems(schema, value, scope, Infinity);
    expectSame(found.map(fromTenon), errors.map(fromAjv), context);
    return errors.length === 0;
  };
}

const rows = Object.values(families)
  .flat()
  .map((row) => ({ type: row.type, row, schema: row.exact ?? row.schema }));

describe("the problems of a value", () => {
  it.each(rows)("with type $type equal those that ajv finds", ({ row, schema }) => {
    const check = judge(schema);
    const value = generateValues(schema);
    fc.assert(
      fc.property(fc.oneof(nearMiss(value), value), (each) => void check(each)),
      { numRuns: 10, seed: SEED },
    );
    for (const sample of [...row.accepts, ...row.rejects]) check(sample);
  });

  it("equal those that ajv finds, for any schema", LONG_COMPUTATION, () => {
    const verdicts = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(randomSchema, fc.array(randomValue, { minLength: 8, maxLength: 8 }), (schema, values) => {
        const check = judge(schema);
        for (const value of values) verdicts[check(value) ? "accepted" : "rejected"] += 1;
      }),
      { numRuns: 300, seed: SEED },
    );
    expect(verdicts.accepted).toBeGreaterThan(150);
    expect(verdicts.rejected).toBeGreaterThan(300);
  });
});

describe("a schema with any keyword", () => {
  it("accepts the values that ajv accepts, compiled and interpreted", LONG_COMPUTATION, () => {
    const verdicts = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(rarerSchema, fc.array(randomValue, { minLength: 8, maxLength: 8 }), (schema, values) => {
        const expected = compileWithAjv(schema);
        const validate = compiledValidator(schema);
        const scope = createScope(schema);
        for (const value of values) {
          const context = `${JSON.stringify(value)} for ${JSON.stringify(schema)}`;
          const verdict = expected(structuredClone(value)).length === 0;
          expect(validate(structuredClone(value)), context).toBe(verdict);
          expect(fits(schema, value, scope), context).toBe(verdict);
          verdicts[verdict ? "accepted" : "rejected"] += 1;
        }
      }),
      { numRuns: 200, seed: SEED },
    );
    expect(verdicts.accepted).toBeGreaterThan(100);
    expect(verdicts.rejected).toBeGreaterThan(400);
  });
});

describe("the explanation of a problem", () => {
  const place: JsonSchema = {
    type: "object",
    properties: { name: { type: "string", examples: ["Oslo"] }, within: { $ref: "#/$defs/Place" } },
    required: ["name"],
    additionalProperties: false,
  };
  const schema: JsonSchema = {
    type: "object",
    properties: { place: { $ref: "#/$defs/Place" } },
    required: ["place"],
    additionalProperties: false,
    $defs: { Place: place },
  };

  it("names the parts of a recursive type, however deep", () => {
    const given = { place: { name: "Oslo", within: { nme: "Norway" } } };
    expect(describeIssues(schema, given, "argument")).toEqual([
      'missing `place.within.name` (a string, such as "Oslo")',
      "unknown member `place.within.nme`; did you mean `name`?",
    ]);
  });

  it("stays short for a value with thousands of problems", () => {
    const items = Array.from({ length: 5000 }, (_, index) => index);
    const wanted: JsonSchema = { type: "array", items: { type: "string" } };
    const issues = describeIssues(wanted, items, "member");
    expect(issues).toHaveLength(21);
    expect(issues.at(-1)).toBe("and many more problems");
  });
});
