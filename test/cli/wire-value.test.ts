import { expect, expectTypeOf, test } from "vitest";
// Internal: any value as JSON, without a tool for each.
import type { JsonOf } from "../../packages/cli/src/testing/typed-server.js";
import { toWireText, toWireValue, withDataUris } from "../../packages/cli/src/testing/wire-value.js";
import { CONVERTED } from "../support/converted-values.js";

test.each(Object.entries(CONVERTED))("the test client sends a value of the kind %s as JSON", (_kind, row) => {
  expect(toWireValue({ in: [row.value] })).toEqual({ in: [row.json] });
  expect(toWireText(row.value)).toBe(typeof row.json === "string" ? row.json : JSON.stringify(row.json));
});

test("the test client sends a map with string keys as an object", () => {
  expect(toWireValue(new Map([["a", new Date(0)]]))).toEqual({ a: "1970-01-01T00:00:00.000Z" });
});

test("the test client sends files as data URIs with their names, at any depth", async () => {
  const file = new File(["hello"], "a b.txt", { type: "text/plain" });
  const [at, set] = [new Date(0), new Set([1])];
  expect(await withDataUris({ file, list: [{ blob: new Blob(["hi"]) }], at, set, none: undefined })).toEqual({
    file: "data:text/plain;name=a%20b.txt;base64,aGVsbG8=",
    list: [{ blob: "data:;base64,aGk=" }],
    at,
    set,
    none: undefined,
  });
});

test("the types of the test client match the JSON it sends", () => {
  type Rows = typeof CONVERTED;
  type Values = { [Kind in keyof Rows]: Rows[Kind]["value"] };
  type Json = { [Kind in keyof Rows]: Rows[Kind]["json"] };
  expectTypeOf<JsonOf<Values>>().toEqualTypeOf<Json>();
});

test("the types of the test client have what `toJSON` returns, and keep branded types", () => {
  type Id = string & { readonly __brand: "id" };
  interface Money {
    cents: number;
    toJSON(): { amount: string; at: Date };
  }
  interface Self {
    name: string;
    toJSON(): this;
  }
  expectTypeOf<JsonOf<{ id: Id; price: Money }>>().toEqualTypeOf<{
    id: Id;
    price: { amount: string; at: string };
  }>();
  expectTypeOf<JsonOf<Self>["name"]>().toEqualTypeOf<string>();
});

test("the types of the test client have `null` for `undefined` in lists", () => {
  interface Lists {
    dates: (Date | undefined)[];
    pair: readonly [number, string | undefined];
    set: Set<number | undefined>;
    open: unknown[];
    optional?: string[];
  }
  expectTypeOf<JsonOf<Lists>>().toEqualTypeOf<{
    dates: (string | null)[];
    pair: readonly [number, string | null];
    set: (number | null)[];
    open: unknown[];
    optional?: string[];
  }>();
});
