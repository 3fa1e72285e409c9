import * as fc from "fast-check";
import { expect, it } from "vitest";
// Internal: conversions of random types, without a project for each.
import { fromJson, toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { carriedType, DECLARATIONS } from "./random-carried.js";
import { createValidator } from "./sample-validator.js";
import { createTypeProject } from "./type-project.js";

const SEED = 20_260_728;
const TYPES = 200;

/** Types with values, one file each. */
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

it("an argument becomes a value of its type, in any surrounding type", LONG_COMPUTATION, () => {
  for (const [index, { text, values }] of samples.entries()) {
    const { derived, diagnostics } = project.type(`carried-${index}`);
    expect(
      diagnostics.filter(({ code }) => code !== "type-regexp-flags"),
      text,
    ).toEqual([]);
    if (!derived) throw new Error(`No schema was derived for ${text}.`);
    const { schema, exact = schema, conversion, conversions } = derived;
    const [listed, checked] = [createValidator(schema), createValidator(exact)];
    for (const { json, real } of values) {
      const label = `${JSON.stringify(json)} for ${text}`;
      expect([listed(json), checked(json)], label).toEqual([true, true]);
      expect(conversion ? fromJson(conversion, json, conversions) : json, label).toEqual(real);
    }
  }
});

it("a result becomes the JSON of its type, which its schema accepts", LONG_COMPUTATION, () => {
  for (const [index, { text, values }] of samples.entries()) {
    const { derived, diagnostics } = project.type(`carried-${index}`, "output");
    expect(
      diagnostics.filter(({ code }) => code !== "type-regexp-flags"),
      text,
    ).toEqual([]);
    if (!derived) throw new Error(`No schema was derived for ${text}.`);
    const { schema, conversion, conversions } = derived;
    const accepts = createValidator(schema);
    for (const { json, real } of values) {
      const label = `${JSON.stringify(json)} for ${text}`;
      expect(conversion ? toJson(conversion, real, conversions) : real, label).toEqual(json);
      expect(accepts(json), label).toBe(true);
    }
  }
});
