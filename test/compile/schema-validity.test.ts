import { PROFILES, type JsonSchema, type JsonValue } from "@tenon/runtime/manifest";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCollector } from "../../packages/compiler/src/diagnostics/diagnostic.js";
import { isSurelyValid } from "../../packages/compiler/src/json-schema/surely-valid.js";
import type { BuiltEntry } from "../../packages/compiler/src/manifest/entry.js";
import { checkListedSchemas } from "../../packages/compiler/src/profiles/check-listed.js";
import { lower } from "../../packages/compiler/src/profiles/profiles.js";
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

describe("whether a schema is one", () => {
  it.each(derived)("needs no ajv for $type", ({ schema }) => {
    expect(isSurelyValid(schema)).toBe(true);
    for (const profile of PROFILES) {
      const { $defs, ...x } = schema;
      const wrapped: JsonSchema = { type: "object", properties: { x }, ...($defs && { $defs }) };
      expect(isSurelyValid(lower(wrapped, profile).schema), profile).toBe(true);
    }
  });

  it("is answered as ajv does, whatever is wrong with it", () => {
    const schemas = [
      ...fc.sample(fc.oneof(randomSchema, rarerSchema), { numRuns: SCHEMAS, seed: SEED }),
      ...fc.sample(nearMiss(fc.constantFrom(...derived.map(({ schema }) => schema as JsonValue))), {
        numRuns: SCHEMAS,
        seed: SEED,
      }),
    ];
    let valid = 0;
    for (const schema of schemas) {
      if (!isSurelyValid(schema as JsonSchema)) continue;
      expect(ajv.validateSchema(schema as object), JSON.stringify(schema)).toBe(true);
      valid++;
    }
    expect(valid).toBeGreaterThan(SCHEMAS / 4);
  });

  it.each<[string, JsonSchema]>([
    ["a type named twice", { type: ["number", "null", "null"] }],
    ["a value named twice", { type: "string", enum: ["a", null, null] }],
    ["no such type", { type: "text" as "string" }],
    ["a reference to nothing", { $ref: "#/$defs/Node" }],
    ["a pattern that is none", { type: "string", pattern: "(" }],
    ["no number", { type: "number", minimum: Infinity }],
    ["no choice", { anyOf: [] }],
    ["an unknown keyword", { typ: "string" }],
  ])("is not taken for granted with %s", (_, schema) => {
    expect(isSurelyValid(schema)).toBe(false);
    expect(isSurelyValid({ type: "array", items: schema })).toBe(false);
  });
});

it("a derived schema that is none is an error, and its tool is not served", () => {
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
    ["schema-invalid", expect.stringContaining("`outputSchema` is not a valid JSON Schema 2020-12")],
  ]);
  expect(collector.refused).toEqual(new Set([name]));
});
