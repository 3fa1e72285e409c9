import type { JsonSchema } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { declaredOnly } from "../../packages/compiler/src/emit/validators/validators-module.js";
import { LATEST, LATEST_LEGACY } from "../../packages/runtime/src/protocol/revisions.js";
import { wrapSchema, wrapsResults } from "../../packages/runtime/src/protocol/projection.js";
import { dataWriter } from "../../packages/runtime/src/results/data-writer.js";
import { keepDeclared } from "../../packages/runtime/src/results/declared-members.js";
import { OutputError, type OutputSchema } from "../../packages/runtime/src/results/output-check.js";
import { type DataPlan, structuredResult } from "../../packages/runtime/src/results/tool-result.js";
import { ConversionError, toJson } from "../../packages/runtime/src/values/conversion.js";
import { compiledValidator } from "../support/compiled-validator.js";
import { DECLARATIONS, resultType } from "./random-carried.js";
import { nearMiss } from "./random-types.js";
import { READERS } from "./schema-readers.js";
import { createTypeProject, type Outcome } from "./type-project.js";

const SEED = 20_260_728;
const TYPES = 150;

/** Types with values of them, and with others that a careless handler might return. */
const samples = fc.sample(
  resultType.chain(({ text, values }) =>
    fc.record({
      text: fc.constant(text),
      values: fc.array(values, { minLength: 5, maxLength: 5 }),
      strays: fc.array(
        fc.oneof(
          nearMiss(values.map(({ json }) => json)),
          values.map(({ real }) => [real]),
          fc.anything({
            withDate: true,
            withMap: true,
            withSet: true,
            withTypedArray: true,
            withBigInt: true,
          }),
        ),
        { minLength: 5, maxLength: 5 },
      ),
    }),
  ),
  { numRuns: TYPES, seed: SEED },
);

const project = createTypeProject(
  Object.fromEntries(
    samples.map(({ text }, index) => [`result-${index}`, `${DECLARATIONS}export type Row = ${text};\n`]),
  ),
);

const REVISIONS = [LATEST, LATEST_LEGACY];
type Derived = NonNullable<Outcome<object>["derived"]> & { schema: JsonSchema; exact?: JsonSchema };

/** How a tool of the type is served. */
function served({ schema: listed, exact: schema = listed, ...conversions }: Derived): DataPlan {
  const exact: OutputSchema = {
    schema,
    validate: compiledValidator(declaredOnly(schema)),
    keep: keepDeclared(schema),
  };
  return { listed, exact, write: dataWriter(conversions, schema, toJson) };
}

/** What reaches the client, by revision; undefined where the result was refused. */
function sent(value: unknown, plan: DataPlan): unknown[] | undefined {
  const refuse = (error: OutputError): never => {
    throw error;
  };
  try {
    return REVISIONS.map((revision): unknown => {
      const { structuredContent } = structuredResult(value, plan, revision, refuse);
      return JSON.parse(JSON.stringify(structuredContent));
    });
  } catch (error) {
    if (error instanceof OutputError || error instanceof ConversionError) return undefined;
    throw error;
  }
}

it("what reaches a client fits the schema that it was listed, and is all that the type declares", () => {
  let [taken, refused] = [0, 0];
  for (const [index, { text, values, strays }] of samples.entries()) {
    const { derived, diagnostics } = project.type(`result-${index}`, "output");
    expect(diagnostics, text).toEqual([]);
    if (!derived) throw new Error(`Nothing was derived of ${text}.`);
    const plan = served(derived);
    const wraps = wrapsResults(derived.schema, LATEST_LEGACY);
    const readers = REVISIONS.map((_, each) =>
      Object.entries(READERS).map(([name, read]) => {
        const schema = wraps && each === 1 ? wrapSchema(derived.schema) : derived.schema;
        return { name, takes: read(schema) };
      }),
    );
    const judge = (json: unknown[], told: string): void => {
      for (const [at, each] of json.entries()) {
        for (const { name, takes } of readers[at] ?? []) expect(takes(each), `${name}: ${told}`).toBe(true);
      }
    };
    // A type with free names keeps all of them.
    const hasFreeNames = /Record|Map</.test(text);
    for (const { json, real } of values) {
      const told = `${JSON.stringify(json)} for ${text}`;
      const given = sent(real, plan);
      if (given === undefined) throw new Error(`Refused: ${told}.`);
      judge(given, told);
      if (!hasFreeNames) expect(given, told).toEqual([json, wraps ? { result: json } : json]);
    }
    for (const stray of strays) {
      const given = sent(stray, plan);
      if (given === undefined) refused++;
      else judge(given, `${JSON.stringify(given)} for ${text}`);
      taken += Number(given !== undefined);
    }
  }
  expect(taken).toBeGreaterThan(TYPES / 4);
  expect(refused).toBeGreaterThan(TYPES / 2);
});
