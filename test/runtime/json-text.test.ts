import * as fc from "fast-check";
// Internal: JSON is a function of a value, tested with random values.
import { findExceededBound } from "../../packages/runtime/src/protocol/jsonrpc.js";
import { toPlainJson } from "../../packages/runtime/src/data/results/json-text.js";
import { describe, expect, test } from "vitest";
import { CONVERTED } from "../support/converted-values.js";

function measureDepth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth));
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + countValues(item), 0);
}

test("a message exceeds its bounds only if it is deeper or larger", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ depthSize: "large" }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (value, depth, values) => {
        const isContainer = typeof value === "object" && value !== null;
        const exceeds = measureDepth(value) > depth || (isContainer && 1 + countValues(value) > values);
        expect(findExceededBound(value, { maxDepth: depth, maxValues: values }) !== undefined).toBe(exceeds);
      },
    ),
    { numRuns: 1000 },
  );
});

test.each([31, 32, 33, 100])("the depth limit is exact at %i levels", (levels) => {
  const value: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
  expect(findExceededBound(value, { maxDepth: levels, maxValues: 1000 })).toBeUndefined();
  expect(findExceededBound(value, { maxDepth: levels - 1, maxValues: 1000 })).toBe("maxDepth");
});

test.each(Object.entries(CONVERTED))(
  "a value of kind %s becomes JSON without type information",
  (_kind, row) => {
    expect(toPlainJson({ in: [row.value] })).toEqual({ in: [row.json] });
  },
);

describe("the JSON of a value", () => {
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
    ["the result of toJSON", { row: { toJSON: () => new Set([1]) } }, { row: [1] }],
    ["a Date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["an object without a prototype", Object.assign(Object.create(null) as object, { n: 1n }), { n: "1" }],
    ["a member named __proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
    ["a deeply nested Set", nested(90, new Set([1])), nested(90, [1])],
    ["boxed values", [Object(1), Object("a"), Object(true)], [1, "a", true]],
    ["plain data", { a: [1, "two", null, true, { b: undefined }] }, { a: [1, "two", null, true, {}] }],
    ["nothing", undefined, null],
  ])("contains %s", (_name, value, json) => {
    expect(toPlainJson(value)).toEqual(json);
  });

  test("replaces what JSON would write differently", () => {
    const at = new Date(0);
    expect(toPlainJson({ at, done: () => undefined })).toStrictEqual({ at: at.toISOString() });
    const data = { a: [1, null, "b", true], b: undefined };
    expect(toPlainJson(data)).toBe(data);
  });

  test("is rejected for a value that contains itself", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const message = "A circular value cannot be written as JSON: `self` refers to a value that contains it.";
    expect(() => toPlainJson(loop)).toThrow(
      expect.objectContaining({ message, stack: `OutputError: ${message}` }) as Error,
    );
  });
});
