import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fromJson, toJson } from "../../packages/runtime/src/values/conversion.js";
import { carriedType, DECLARATIONS } from "./random-carried.js";
import { validatorOf } from "./sample-validator.js";
import { createTypeProject } from "./type-project.js";

const SEED = 20_260_728;
const TYPES = 200;

/** Types with values of them, as one file each. */
const samples = fc.sample(
  carriedType.chain(({ text, values }) =>
    fc.record({ text: fc.constant(text), values: fc.array(values, { minLength: 6, maxLength: 6 }) }),
  ),
  { numRuns: TYPES, seed: SEED },
);

const project = createTypeProject(
  Object.fromEntries(
    samples.map(({ text }, index) => [`carried-${index}`, `${DECLARATIONS}export type Row = ${text};\n`]),
  ),
  { exactOptionalPropertyTypes: true },
);

it("an argument becomes the value of its type, whatever stands around it", () => {
  for (const [index, { text, values }] of samples.entries()) {
    const { derived, diagnostics } = project.type(`carried-${index}`);
    expect(diagnostics, text).toEqual([]);
    if (!derived) throw new Error(`Nothing was derived of ${text}.`);
    const { schema, exact = schema, conversion, conversions } = derived;
    const [listed, checked] = [validatorOf(schema), validatorOf(exact)];
    for (const { json, real } of values) {
      const told = `${JSON.stringify(json)} for ${text}`;
      expect([listed(json), checked(json)], told).toEqual([true, true]);
      expect(conversion ? fromJson(conversion, json, conversions) : json, told).toEqual(real);
    }
  }
});

it("a result becomes the JSON of its type, which its schema accepts", () => {
  for (const [index, { text, values }] of samples.entries()) {
    const { derived, diagnostics } = project.type(`carried-${index}`, "output");
    expect(diagnostics, text).toEqual([]);
    if (!derived) throw new Error(`Nothing was derived of ${text}.`);
    const { schema, conversion, conversions } = derived;
    const accepts = validatorOf(schema);
    for (const { json, real } of values) {
      const told = `${JSON.stringify(json)} for ${text}`;
      expect(conversion ? toJson(conversion, real, conversions) : real, told).toEqual(json);
      expect(accepts(json), told).toBe(true);
    }
  }
});
