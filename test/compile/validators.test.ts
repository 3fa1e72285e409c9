import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Validators } from "@tenon/runtime/server";
import { compiled } from "@tenon/runtime/validation";
import type { JsonSchema, JsonValue, ToolEntry } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFileTree } from "../../packages/compiler/src/emit/file-tree.js";
import { validatorsModule } from "../../packages/compiler/src/emit/validators/validators-module.js";
import { fromJson, toJson } from "../../packages/runtime/src/values/conversion.js";
import { createScope } from "../../packages/runtime/src/explain/keywords/table.js";
import { fits } from "../../packages/runtime/src/explain/search.js";
import { nearMiss } from "./random-types.js";
import { validatorOf } from "./sample-validator.js";
import { valuesOf } from "./schema-values.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;
const VALUES = 25;

/** Every type there is a table for, as the one argument `value`. */
const rows = Object.entries(families).flatMap(([family, all]) =>
  all.map((row, index) => ({ name: `${family}-${index}`, row, schema: argumentOf(row.exact ?? row.schema) })),
);

function argumentOf({ $defs, ...schema }: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { value: schema },
    required: ["value"],
    additionalProperties: false,
    ...($defs && { $defs }),
  };
}

let folder: string;
let validators: Validators;

// What the compiler emits for one server with a tool for each type.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-validators-"));
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const tools = rows.map(({ name, schema }): ToolEntry => ({
    definition: { name, inputSchema: schema as { type: "object" } },
    handler: { module: "src/rows.ts", export: "Rows", method: name, parameters: [] },
    input: {},
    output: { kind: "none" },
  }));
  const module = validatorsModule({
    manifestVersion: 1,
    server: { name: "rows", version: "1.0.0" },
    tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });
  writeFileTree(
    new Map([
      ["validators.js", module],
      ["package.json", '{"type":"module"}'],
    ]),
    folder,
  );
  const emitted = (await import(pathToFileURL(join(folder, "validators.js")).href)) as {
    createValidators(library: typeof compiled): Validators;
  };
  validators = emitted.createValidators(compiled);
});
afterAll(() => rmSync(folder, { recursive: true }));

function validatorNamed(name: string): (value: JsonValue) => boolean {
  const validate = validators.tools[name]?.input;
  if (!validate) throw new Error(`No validator of ${name}.`);
  // Validators fill in defaults, and the value is asked about again.
  return (value) => validate({ value: structuredClone(value) });
}

describe("an emitted validator", () => {
  it.each(rows)("agrees with the schema of $row.type", ({ name, row, schema }) => {
    const accepts = validatorNamed(name);
    const expected = validatorOf(schema);
    const value = valuesOf(row.exact ?? row.schema);
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

  it("is tested with values that fit and values that do not", () => {
    const verdicts = rows.flatMap(({ row, schema }) => {
      const value = valuesOf(row.exact ?? row.schema);
      const samples = fc.sample(fc.oneof(value, nearMiss(value)), { numRuns: 10, seed: SEED });
      const expected = validatorOf(schema);
      return samples.map((each) => expected({ value: each }));
    });
    const accepted = verdicts.filter(Boolean).length / verdicts.length;
    expect(accepted).toBeGreaterThan(0.4);
    expect(accepted).toBeLessThan(0.9);
  });
});

describe("a conversion", () => {
  // What keeps to the limits of a bigint its schema does not say.
  const converting = rows.filter(
    ({ row }) => row.conversion !== undefined && !JSON.stringify(row.conversion).includes('"limits"'),
  );

  it.each(converting)("leads to values of $row.type and back", ({ name, row }) => {
    const accepts = validatorNamed(name);
    const { conversion, conversions } = row;
    if (!conversion) return;
    fc.assert(
      fc.property(valuesOf(row.exact ?? row.schema), (value) => {
        fc.pre(accepts(value));
        const declared = fromJson(conversion, value, conversions);
        const json = JSON.parse(JSON.stringify(toJson(conversion, declared, conversions))) as JsonValue;
        expect(accepts(json), `${JSON.stringify(value)} comes back as ${JSON.stringify(json)}`).toBe(true);
      }),
      { numRuns: VALUES, seed: SEED },
    );
  });
});
