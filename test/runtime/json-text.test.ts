import * as fc from "fast-check";
import { exceededBound } from "../../packages/runtime/src/protocol/jsonrpc.js";
import { jsonText, plainJson } from "../../packages/runtime/src/results/json-text.js";
import { describe, expect, test } from "vitest";
import { CONVERTED } from "../support/converted-values.js";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + valuesOf(item), 0);
}

test("a message exceeds its bounds when it is deeper or larger, and only then", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ depthSize: "large" }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (value, depth, values) => {
        const isContainer = typeof value === "object" && value !== null;
        const exceeds = depthOf(value) > depth || (isContainer && 1 + valuesOf(value) > values);
        expect(exceededBound(value, { depth, values }) !== undefined).toBe(exceeds);
      },
    ),
    { numRuns: 1000 },
  );
});

test.each([31, 32, 33, 100])("depth is exact at %i levels", (levels) => {
  const value: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
  expect(exceededBound(value, { depth: levels, values: 1000 })).toBeUndefined();
  expect(exceededBound(value, { depth: levels - 1, values: 1000 })).toBe("depth");
});

test.each(Object.entries(CONVERTED))(
  "a value of the kind %s becomes JSON where no type says how",
  (_kind, row) => {
    expect(JSON.parse(jsonText({ in: [row.value] }))).toEqual({ in: [row.json] });
    expect(plainJson({ in: [row.value] })).toEqual({ in: [row.json] });
  },
);

describe("the JSON text of a value", () => {
  class Row {
    readonly tags = new Set(["a"]);
  }
  const nested = (levels: number, value: unknown): unknown => {
    let result = value;
    for (let level = 0; level < levels; level++) result = { in: result };
    return result;
  };

  test.each([
    [
      "bytes",
      { data: new Uint8Array([0, 1, 2]), more: [Buffer.from("hi")] },
      { data: "AAEC", more: ["aGk="] },
    ],
    ["a Set in an object", { tags: new Set([1, 2]) }, { tags: [1, 2] }],
    ["a Map in an array", [new Map([["a", 1]])], [[["a", 1]]]],
    ["a bigint", { count: 12n, others: [1n] }, { count: "12", others: ["1"] }],
    ["a RegExp", { like: /^a+$/u }, { like: "^a+$" }],
    ["an instance of a class", [new Row()], [{ tags: ["a"] }]],
    ["what toJSON makes", { row: { toJSON: () => new Set([1]) } }, { row: [1] }],
    ["a Date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["an object without a prototype", Object.assign(Object.create(null) as object, { n: 1n }), { n: "1" }],
    ["a member named __proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
    ["a Set far inside", nested(90, new Set([1])), nested(90, [1])],
    ["boxed values", [Object(1), Object("a"), Object(true)], [1, "a", true]],
    ["plain data", { a: [1, "two", null, true, { b: undefined }] }, { a: [1, "two", null, true, {}] }],
    ["nothing", undefined, null],
  ])("holds %s", (_name, value, json) => {
    expect(JSON.parse(jsonText(value))).toEqual(json);
    expect(plainJson(value)).toEqual(json);
  });

  test("is what a value is held to that JSON would write as another", () => {
    const at = new Date(0);
    expect(plainJson({ at, done: () => undefined, sign: Symbol("a") })).toStrictEqual({
      at: at.toISOString(),
    });
    expect(plainJson([at, () => undefined])).toStrictEqual([at.toISOString(), null]);
    const data = { a: [1, null, "b", true], b: undefined };
    expect(plainJson(data)).toBe(data);
  });

  test("is refused for a value that holds itself", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => jsonText(loop)).toThrow(TypeError);
  });
});
