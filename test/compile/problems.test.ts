import { equal, formats, ucs2length, uniqueItems } from "@tenon/runtime/validation";
import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import type { ValidationError, Validator } from "@tenon/runtime/server";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExplained } from "../../packages/compiler/src/emit/explained.js";
import { validatorCode } from "../../packages/compiler/src/emit/validator-code.js";
import { withoutRequiredDefaults } from "../../packages/compiler/src/emit/validators.js";
import { formats as predicates } from "../../packages/runtime/src/formats.js";
import { describeIssues } from "../../packages/runtime/src/issues.js";
import { findProblems } from "../../packages/runtime/src/problems.js";
import { randomSchema, randomValue } from "./random-schemas.js";
import { nearMiss } from "./random-types.js";
import { valuesOf } from "./schema-values.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;

/** What ajv says of a value with all problems in the open, filling in defaults as compiled validators do. */
function ajvOf(schema: JsonSchema): (value: JsonValue) => ValidationError[] {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    ownProperties: true,
    useDefaults: true,
    messages: false,
    logger: false,
  });
  // With it, ajv's code stumbles over some patterns.
  ajv.opts.unevaluated = false;
  // ajv's own looks only at items whose type is right.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (wanted: boolean, items: unknown[]) => !wanted || uniqueItems(items),
  });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  const validate = ajv.compile(schema as AnySchemaObject);
  return (value) => (validate(value) ? [] : ((validate.errors ?? []) as ValidationError[]));
}

const runtime = new Map<string, unknown>(Object.entries({ equal, formats, ucs2length, uniqueItems }));

function compiled(schema: JsonSchema): Validator {
  const { body, imports } = validatorCode(JSON.stringify(schema));
  const functions = imports.map((name) => runtime.get(name));
  return new Function(...imports, body)(...functions) as Validator;
}

/** ajv tells places in a type that refers to itself from that type on. */
function comparable({ instancePath, schemaPath, keyword, params }: ValidationError): object {
  return {
    instancePath,
    schemaPath: schemaPath.replace(/^#\/\$defs\/[^/]+/, "#"),
    keyword,
    params,
  };
}

/** Holds the compiled validator and the problems found afterwards against what ajv says. */
function judge(schema: JsonSchema): (value: JsonValue) => boolean {
  const emitted = withoutRequiredDefaults(schema);
  const expected = ajvOf(emitted);
  const validate = compiled(emitted);
  const filled = JSON.stringify(schema).includes('"default":');
  return (value) => {
    const errors = expected(structuredClone(value));
    const received = structuredClone(value);
    const context = `${JSON.stringify(value)} for ${JSON.stringify(schema)}`;
    expect(validate(received), context).toBe(errors.length === 0);
    expect(validate.errors, context).toBeUndefined();
    // A default filled in by one part of a schema may be a problem to another, depending on which came first.
    if (filled) return errors.length === 0;
    expect(findProblems(schema, value, predicates).map(comparable), context).toEqual(errors.map(comparable));
    return errors.length === 0;
  };
}

const rows = Object.values(families)
  .flat()
  .map((row) => ({ type: row.type, row, schema: row.exact ?? row.schema }));

describe("the problems of a value", () => {
  it.each(rows.filter(({ schema }) => isExplained(schema)))(
    "of $type are those that ajv finds",
    ({ row, schema }) => {
      const check = judge(schema);
      const value = valuesOf(schema);
      fc.assert(
        fc.property(fc.oneof(nearMiss(value), value), (each) => void check(each)),
        { numRuns: 10, seed: SEED },
      );
      for (const sample of [...row.accepts, ...row.rejects]) check(sample);
    },
  );

  it("can be found for almost every type", () => {
    const others = rows.filter(({ schema }) => !isExplained(schema)).map(({ type }) => type);
    expect(others).toEqual(["[...string[], number]", "[string, ...number[], boolean]"]);
  });

  it("of any schema are those that ajv finds", () => {
    const verdicts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(randomSchema, fc.array(randomValue, { minLength: 8, maxLength: 8 }), (schema, values) => {
        const check = judge(schema);
        for (const value of values) verdicts[check(value) ? "accepted" : "refused"] += 1;
      }),
      { numRuns: 300, seed: SEED },
    );
    expect(verdicts.accepted).toBeGreaterThan(150);
    expect(verdicts.refused).toBeGreaterThan(300);
  });
});

describe("the words for a problem", () => {
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

  it("name what a type that refers to itself has, however deep", () => {
    const given = { place: { name: "Oslo", within: { nme: "Norway" } } };
    expect(describeIssues([], schema, given, "argument", predicates)).toEqual([
      'missing `place.within.name` (a string, such as "Oslo")',
      "unknown member `place.within.nme`; did you mean `name`?",
    ]);
  });

  it("stay few for a value with very many problems", () => {
    const items = Array.from({ length: 5000 }, (_, index) => index);
    const issues = describeIssues(
      [],
      { type: "array", items: { type: "string" } },
      items,
      "member",
      predicates,
    );
    expect(issues).toHaveLength(21);
    expect(issues.at(-1)).toBe("and many more problems");
  });
});
