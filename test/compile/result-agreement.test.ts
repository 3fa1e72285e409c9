import type { JsonSchema } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { expect, it } from "vitest";
// Internal: results of random types, without a project for each.
import { rejectUndeclared } from "../../packages/compiler/src/emit/validators/validator-modules.js";
import { LATEST, LATEST_LEGACY } from "../../packages/runtime/src/protocol/revisions.js";
import { wrapSchema, wrapsResults } from "../../packages/runtime/src/protocol/projection.js";
import { createDataWriter } from "../../packages/runtime/src/data/results/data-writer.js";
import { allowsAnyDepth } from "../../packages/runtime/src/data/results/nesting.js";
import { OutputError, type OutputSchema } from "../../packages/runtime/src/data/results/output-check.js";
import { type DataPlan, toStructuredResult } from "../../packages/runtime/src/data/results/tool-result.js";
import { toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { ConversionError } from "../../packages/runtime/src/data/conversion/conversion-error.js";
import { reconsiderData } from "../../packages/runtime/src/data/results/reconsider-data.js";
import { compiledValidator } from "../support/compiled-validator.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
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

/** Returns the plan with which a tool of the type is served. */
function toDataPlan({ schema: listed, exact: schema = listed, ...conversions }: Derived): DataPlan {
  const exact: OutputSchema = {
    schema,
    validators: { output: compiledValidator(rejectUndeclared(schema)), reconsiderData },
    openMembers: false,
  };
  return {
    listed,
    exact,
    isDeep: allowsAnyDepth(schema),
    write: createDataWriter(conversions, schema, toJson),
  };
}

/** Returns the result that the client receives, by revision; undefined if the result was rejected. */
function convertResult(value: unknown, plan: DataPlan): unknown[] | undefined {
  const reject = (error: OutputError): never => {
    throw error;
  };
  try {
    return REVISIONS.map((revision): unknown => {
      const { structuredContent } = toStructuredResult(value, plan, revision, reject);
      return JSON.parse(JSON.stringify(structuredContent));
    });
  } catch (error) {
    if (error instanceof OutputError || error instanceof ConversionError) return undefined;
    throw error;
  }
}

it(
  "a sent result matches its listed schema, and contains all that its type declares",
  LONG_COMPUTATION,
  () => {
    let [accepted, rejected] = [0, 0];
    for (const [index, { text, values, strays }] of samples.entries()) {
      const { derived, diagnostics } = project.type(`result-${index}`, "output");
      expect(
        diagnostics.filter(({ code }) => code !== "type-regexp-flags"),
        text,
      ).toEqual([]);
      if (!derived) throw new Error(`No schema was derived for ${text}.`);
      const plan = toDataPlan(derived);
      const wraps = wrapsResults(derived.schema, LATEST_LEGACY);
      const readers = REVISIONS.map((_, each) =>
        Object.entries(READERS).map(([name, read]) => {
          const schema = wraps && each === 1 ? wrapSchema(derived.schema) : derived.schema;
          return { name, accepts: read(schema) };
        }),
      );
      const judge = (json: unknown[], label: string): void => {
        for (const [at, each] of json.entries()) {
          for (const { name, accepts } of readers[at] ?? [])
            expect(accepts(each), `${name}: ${label}`).toBe(true);
        }
      };
      // A type with free names keeps all of them.
      const hasFreeNames = /Record|Map</.test(text);
      for (const { json, real } of values) {
        const label = `${JSON.stringify(json)} for ${text}`;
        const given = convertResult(real, plan);
        if (given === undefined) throw new Error(`Rejected: ${label}.`);
        judge(given, label);
        if (!hasFreeNames) expect(given, label).toEqual([json, wraps ? { result: json } : json]);
      }
      for (const stray of strays) {
        const given = convertResult(stray, plan);
        if (given === undefined) rejected++;
        else judge(given, `${JSON.stringify(given)} for ${text}`);
        accepted += Number(given !== undefined);
      }
    }
    expect(accepted).toBeGreaterThan(TYPES / 4);
    expect(rejected).toBeGreaterThan(TYPES / 2);
  },
);
