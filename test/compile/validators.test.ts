import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileTree } from "@tenon/compiler";
import type { Validators } from "@tenon/runtime/server";
import { compiled } from "@tenon/runtime/validation";
import type { JsonSchema, JsonValue, ToolEntry } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: the validator of any schema, without a project for each.
import { createValidatorModules } from "../../packages/compiler/src/emit/validators/validator-modules.js";
import { fromJson, toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { ConversionError } from "../../packages/runtime/src/data/conversion/conversion-error.js";
import { createScope } from "../../packages/runtime/src/data/problems/keywords/table.js";
import { fits } from "../../packages/runtime/src/data/problems/search.js";
import { nearMiss } from "./random-types.js";
import { createValidator } from "./sample-validator.js";
import { generateValues } from "./schema-values.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;
const VALUES = 25;

/** The types of all tables, each as the argument `value`. */
const rows = Object.entries(families).flatMap(([family, all]) =>
  all.map((row, index) => ({ name: `${family}-${index}`, row, schema: toArgument(row.exact ?? row.schema) })),
);

function toArgument({ $defs, ...schema }: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { value: schema },
    required: ["value"],
    additionalProperties: false,
    ...($defs && { $defs }),
  };
}

let folder: string;
const validators: Validators["tools"] = {};

// The emitted files of one server with a tool for each type.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-validators-"));
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const tools = rows.map(({ name, schema }): ToolEntry => ({
    definition: { name, inputSchema: schema as { type: "object" } },
    handler: { module: "src/rows.ts", export: "Rows", method: name, parameters: [] },
    input: {},
    output: { kind: "none" },
  }));
  const { files } = createValidatorModules({
    manifestVersion: 1,
    server: { name: "rows", version: "1.0.0" },
    tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });
  writeFileTree(new Map([...files, ["package.json", '{"type":"module"}']]), folder);
  for (const file of files.keys()) {
    const { createValidators } = (await import(pathToFileURL(join(folder, file)).href)) as {
      createValidators(library: typeof compiled): Validators;
    };
    Object.assign(validators, createValidators(compiled).tools);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function findValidator(name: string): (value: JsonValue) => boolean {
  const found = validators[name];
  if (found === undefined || !("input" in found)) throw new Error(`No validator for ${name}.`);
  // Validators fill in defaults, and the value is validated again.
  return (value) => found.input({ value: structuredClone(value) });
}

describe("an emitted validator", () => {
  it.each(rows)("agrees with the schema of $row.type", ({ name, row, schema }) => {
    const accepts = findValidator(name);
    const expected = createValidator(schema);
    const value = generateValues(row.exact ?? row.schema);
    const judge = (each: JsonValue): void => {
      const verdict = expected({ value: each });
      expect(accepts(each)).toBe(verdict);
      // The runtime's own reading decides between alternatives, so it must know every value of each.
      const scope = createScope(schema);
      expect(fits(schema, { value: each }, scope)).toBe(verdict);
    };
    const run = { numRuns: VALUES, seed: SEED };
    fc.assert(fc.property(value, judge), run);
    fc.assert(fc.property(nearMiss(value), judge), run);
    for (const sample of [...row.accepts, ...row.rejects]) judge(sample);
  });

  it("accepts some of the generated values and rejects others", () => {
    const verdicts = rows.flatMap(({ row, schema }) => {
      const value = generateValues(row.exact ?? row.schema);
      const samples = fc.sample(fc.oneof(value, nearMiss(value)), { numRuns: 10, seed: SEED });
      const expected = createValidator(schema);
      return samples.map((each) => expected({ value: each }));
    });
    const accepted = verdicts.filter(Boolean).length / verdicts.length;
    expect(accepted).toBeGreaterThan(0.4);
    expect(accepted).toBeLessThan(0.9);
  });
});

/** Converts a value. Returns undefined if keys or items of its list are equal, which a schema cannot rule out. */
function convertUnlessRepeated(convert: () => unknown): unknown {
  try {
    return convert();
  } catch (error) {
    if (error instanceof ConversionError && /must not contain the same \w+ twice/.test(error.message))
      return undefined;
    throw error;
  }
}

describe("a conversion", () => {
  // Its schema does not express the limits of a bigint.
  const converting = rows.filter(
    ({ row }) => row.conversion !== undefined && !JSON.stringify(row.conversion).includes('"limits"'),
  );

  it.each(converting)("restores values of $row.type", ({ name, row }) => {
    const accepts = findValidator(name);
    const { conversion, conversions } = row;
    if (!conversion) return;
    fc.assert(
      fc.property(generateValues(row.exact ?? row.schema), (value) => {
        fc.pre(accepts(value));
        const declared = convertUnlessRepeated(() => fromJson(conversion, value, conversions));
        if (declared === undefined) return;
        const json = JSON.parse(JSON.stringify(toJson(conversion, declared, conversions))) as JsonValue;
        expect(accepts(json), `${JSON.stringify(value)} comes back as ${JSON.stringify(json)}`).toBe(true);
      }),
      { numRuns: VALUES, seed: SEED },
    );
  });
});
