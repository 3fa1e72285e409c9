import { expect, expectTypeOf, test } from "vitest";
import type { JsonOf } from "../../packages/cli/src/testing/typed-server.js";
import { wireText, wireValue } from "../../packages/cli/src/testing/wire-value.js";
import { CONVERTED } from "../support/converted-values.js";

test.each(Object.entries(CONVERTED))("the test client sends a value of the kind %s as JSON", (_kind, row) => {
  expect(wireValue({ in: [row.value] })).toEqual({ in: [row.json] });
  expect(wireText(row.value)).toBe(typeof row.json === "string" ? row.json : JSON.stringify(row.json));
});

test("a map with text for keys is an object", () => {
  expect(wireValue(new Map([["a", new Date(0)]]))).toEqual({ a: "1970-01-01T00:00:00.000Z" });
});

test("its types say the same", () => {
  type Rows = typeof CONVERTED;
  type Values = { [Kind in keyof Rows]: Rows[Kind]["value"] };
  type Json = { [Kind in keyof Rows]: Rows[Kind]["json"] };
  expectTypeOf<JsonOf<Values>>().toEqualTypeOf<Json>();
});
