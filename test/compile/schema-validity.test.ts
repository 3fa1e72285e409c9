import { PROFILES, type JsonSchema, type JsonValue } from "@tenon/runtime/manifest";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
// Internal: the answer for any schema, without a project for each.
import { createCollector } from "../../packages/compiler/src/diagnostics/diagnostic.js";
import { isKnownValid } from "../../packages/compiler/src/json-schema/known-validity.js";
import type { BuiltEntry } from "../../packages/compiler/src/manifest/entry.js";
import { checkListedSchemas } from "../../packages/compiler/src/profiles/list-entries.js";
import { lower } from "../../packages/compiler/src/profiles/profiles.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { nearMiss } from "./random-types.js";
import { randomSchema, rarerSchema } from "./random-schemas.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;
const SCHEMAS = 500;

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

const derived = Object.values(families).flatMap((rows) =>
  rows.flatMap(({ type, schema, exact }) =>
    [schema, exact ?? schema].map((each) => ({ type, schema: each })),
  ),
);

describe("the validity of a schema", () => {
  it.each(derived)("is known without ajv for $type", ({ schema }) => {
    expect(isKnownValid(schema)).toBe(true);
    for (const profile of PROFILES) {
      const { $defs, ...x } = schema;
      const wrapped: JsonSchema = { type: "object", properties: { x }, ...($defs && { $defs }) };
      expect(isKnownValid(lower(wrapped, profile).schema), profile).toBe(true);
    }
  });

  it("is certain only if ajv accepts the schema, whatever is wrong with it", LONG_COMPUTATION, () => {
    const schemas = [
      ...fc.sample(fc.oneof(randomSchema, rarerSchema), { numRuns: SCHEMAS, seed: SEED }),
      ...fc.sample(nearMiss(fc.constantFrom(...derived.map(({ schema }) => schema as JsonValue))), {
        numRuns: SCHEMAS,
        seed: SEED,
      }),
    ];
    let valid = 0;
    for (const schema of schemas) {
      if (!isKnownValid(schema as JsonSchema)) continue;
      expect(ajv.validateSchema(schema as object), JSON.stringify(schema)).toBe(true);
      valid++;
    }
    expect(valid).toBeGreaterThan(SCHEMAS / 4);
  });

  it.each<[string, JsonSchema]>([
    ["a duplicate type", { type: ["number", "null", "null"] }],
    ["a duplicate value", { type: "string", enum: ["a", null, null] }],
    ["an unknown type", { type: "text" as "string" }],
    ["a reference to nothing", { $ref: "#/$defs/Node" }],
    ["an invalid pattern", { type: "string", pattern: "(" }],
    ["a limit that is not finite", { type: "number", minimum: Infinity }],
    ["an empty list of alternatives", { anyOf: [] }],
    ["an unknown keyword", { typ: "string" }],
  ])("is checked with ajv if it has %s", (_, schema) => {
    expect(isKnownValid(schema)).toBe(false);
    expect(isKnownValid({ type: "array", items: schema })).toBe(false);
  });
});

it("an invalid derived schema is an error, and its tool is not served", () => {
  const collector = createCollector("/project");
  const name = { kind: "tool" as const, name: "count" };
  const listed = {
    kind: "tool",
    declaration: { name, options: {}, method: { name: undefined } },
    entry: {
      definition: {
        name: "count",
        inputSchema: { type: "object" },
        outputSchema: { type: ["number", "null", "null"] },
      },
    },
  } as unknown as BuiltEntry;
  checkListedSchemas([listed], collector);
  expect(collector.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["schema-invalid", expect.stringContaining("`outputSchema` is not valid JSON Schema 2020-12")],
  ]);
  expect(collector.rejected).toEqual(new Set([name]));
});
