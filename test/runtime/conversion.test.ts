import type { BigintLimits, Conversion, JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
// Internal: conversion plans are a contract between compiler and runtime.
import { fromJson, toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { ConversionError } from "../../packages/runtime/src/data/conversion/conversion-error.js";

const date = new Date("2026-07-28T00:00:00.000Z");
const text = date.toISOString();

describe("a conversion plan", () => {
  const table: [string, Conversion, unknown, unknown][] = [
    ["date", { kind: "date" }, text, date],
    ["day", { kind: "day" }, "2026-07-28", date],
    ["url", { kind: "url" }, "https://example.com/a", new URL("https://example.com/a")],
    ["bigint", { kind: "bigint" }, "123456789012345678901234567890", 123456789012345678901234567890n],
    ["bytes", { kind: "bytes" }, "AAEC", Buffer.from([0, 1, 2])],
    ["regexp", { kind: "regexp" }, "^a+$", /^a+$/u],
    ["array", { kind: "array", items: { kind: "date" } }, [text, text], [date, date]],
    [
      "tuple with a conversion for its last elements",
      { kind: "tuple", items: [null], rest: { kind: "date" }, last: [null, { kind: "bigint" }] },
      [text, text, text, text, "1"],
      [text, date, date, text, 1n],
    ],
    [
      "tuple",
      { kind: "tuple", items: [null, { kind: "date" }], rest: { kind: "bigint" } },
      ["x", text, "1"],
      ["x", date, 1n],
    ],
    ["set", { kind: "set", items: { kind: "date" } }, [text], new Set([date])],
    [
      "map of pairs",
      { kind: "map", keys: { kind: "date" }, values: { kind: "bigint" } },
      [[text, "1"]],
      new Map([[date, 1n]]),
    ],
    [
      "map of members",
      { kind: "map", object: true, values: { kind: "date" } },
      { a: text },
      new Map([["a", date]]),
    ],
    [
      "object",
      { kind: "object", properties: { at: { kind: "date" } } },
      { at: text, n: 1 },
      { at: date, n: 1 },
    ],
    [
      "object with further members",
      { kind: "object", properties: {}, additional: { kind: "bigint" } },
      { a: "1", b: "2" },
      { a: 1n, b: 2n },
    ],
    [
      "object whose further members depend on their names",
      {
        kind: "object",
        properties: { at_will: null },
        patterns: [
          ["^at_", { kind: "date" }],
          ["^n", null],
        ],
        additional: { kind: "bigint" },
      },
      { at_will: text, at_noon: text, name: "1", other: "1" },
      { at_will: text, at_noon: date, name: "1", other: 1n },
    ],
    ["null next to a date", { kind: "date" }, null, null],
    [
      "union",
      {
        kind: "union",
        branches: [
          { when: { type: "string", format: "date-time" }, convert: { kind: "date" } },
          { when: { type: "array" }, convert: { kind: "set" } },
          { when: { type: "number" }, convert: null },
        ],
      },
      ["a"],
      new Set(["a"]),
    ],
  ];

  test.each(table)("for kind %s converts both ways", (_, plan, json, value) => {
    expect(fromJson(plan, json)).toEqual(value);
    expect(toJson(plan, value)).toEqual(json);
  });

  test.each<[Conversion, unknown, string]>([
    [{ kind: "set", items: { kind: "bigint" } }, ["1", "01"], "must not contain the same item twice"],
    [
      { kind: "map" },
      [
        [1, "a"],
        [1, "b"],
      ],
      "must not contain the same key twice",
    ],
    [
      { kind: "map", keys: { kind: "bigint" } },
      [
        ["1", "a"],
        ["01", "b"],
      ],
      "must not contain the same key twice",
    ],
  ])("rejects parts that would replace each other: %j", (plan, json, problem) => {
    expect(() => fromJson({ kind: "object", properties: { all: plan } }, { all: json })).toThrow(
      `\`all\` ${problem}`,
    );
  });

  test("may be recursive", () => {
    const node: Conversion = {
      kind: "object",
      properties: { at: { kind: "date" }, children: { kind: "array", items: { kind: "ref", name: "Node" } } },
    };
    const json = { at: text, children: [{ at: text, children: [] }] };
    const value = { at: date, children: [{ at: date, children: [] }] };
    expect(fromJson({ kind: "ref", name: "Node" }, json, { Node: node })).toEqual(value);
    expect(toJson({ kind: "ref", name: "Node" }, value, { Node: node })).toEqual(json);
  });

  test("uses the branch of a union that fits the JSON", () => {
    const plan: Conversion = {
      kind: "union",
      branches: [
        {
          when: { type: "object", properties: { kind: { enum: ["a"] } }, required: ["kind"] },
          convert: { kind: "object", properties: { at: { kind: "date" } } },
        },
        {
          when: { type: "object", properties: { kind: { enum: ["b"] } }, required: ["kind"] },
          convert: null,
        },
      ],
    };
    expect(fromJson(plan, { kind: "a", at: text })).toEqual({ kind: "a", at: date });
    expect(fromJson(plan, { kind: "b", at: text })).toEqual({ kind: "b", at: text });
    expect(toJson(plan, { kind: "a", at: date })).toEqual({ kind: "a", at: text });
  });

  test("treats members named like object internals as data", () => {
    const json: unknown = JSON.parse(`{"__proto__":"${text}"}`);
    const value = fromJson({ kind: "object", properties: {}, additional: { kind: "date" } }, json) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
  });

  test("reports an unparsable string with its location", () => {
    const plan: Conversion = {
      kind: "object",
      properties: { at: { kind: "array", items: { kind: "date" } } },
    };
    const convert = () => fromJson(plan, { at: ["now", text, "soon"] });
    expect(convert).toThrow(ConversionError);
    expect(convert).toThrow("`at[0]` must be a date; `at[2]` must be a date");
    expect(convert).toThrow(
      expect.objectContaining({
        failures: [
          { path: ["at", 0], value: "now", problem: "must be a date" },
          { path: ["at", 2], value: "soon", problem: "must be a date" },
        ],
      }) as Error,
    );
    for (const [kind, bad] of [
      ["url", "no url"],
      ["bigint", "1.5"],
      ["regexp", "("],
    ] as const) {
      expect(() => fromJson({ kind }, bad)).toThrow(ConversionError);
    }
    expect(() => toJson({ kind: "date" }, new Date("never"))).toThrow("the value is an invalid Date");
    for (const kind of ["date", "day"] as const)
      expect(() => toJson({ kind }, new Date(8.64e15))).toThrow("outside the years 0 to 9999");
    expect(() => toJson(plan, { at: [date, new Date("never")] })).toThrow("`at[1]` is an invalid Date");
  });

  test.each<[BigintLimits, bigint, string | undefined]>([
    [{ minimum: "1" }, 1n, undefined],
    [{ minimum: "1" }, 0n, "must be at least 1"],
    [{ maximum: "9007199254740993" }, 9007199254740993n, undefined],
    [{ maximum: "9007199254740993" }, 9007199254740994n, "must be at most 9007199254740993"],
    [{ exclusiveMinimum: "-1" }, -1n, "must be more than -1"],
    [{ exclusiveMaximum: "1" }, 1n, "must be less than 1"],
    [{ multipleOf: "5" }, -10n, undefined],
    [{ multipleOf: "5" }, 11n, "must be a multiple of 5"],
  ])("applies the limits of a bigint: %j", (limits, value, problem) => {
    const plan: Conversion = { kind: "bigint", limits };
    for (const convert of [() => fromJson(plan, String(value)), () => toJson(plan, value)]) {
      if (problem === undefined) expect(convert).not.toThrow();
      else expect(convert).toThrow(`the value ${problem}`);
    }
  });

  test("reads dates without a zone as UTC, whatever the machine's zone, and writes days in UTC", () => {
    expect(fromJson({ kind: "date" }, "2026-07-28")).toEqual(date);
    expect(fromJson({ kind: "date" }, "2026-07-28T00:00")).toEqual(date);
    expect(toJson({ kind: "day" }, new Date("2026-07-28T23:59:59.999Z"))).toBe("2026-07-28");
  });

  test.each<[Conversion, unknown, (string | number)[]]>([
    [{ kind: "map", keys: { kind: "date" } }, [["soon", 1]], [0, 0]],
    [{ kind: "map", values: { kind: "date" } }, [["a", "soon"]], [0, 1]],
    [{ kind: "map", object: true, values: { kind: "date" } }, { a: "soon" }, ["a"]],
    [{ kind: "set", items: { kind: "date" } }, [text, "soon"], [1]],
    [{ kind: "tuple", items: [null], rest: { kind: "date" } }, ["soon", "soon"], [1]],
  ])("reports the location inside a container: %j", (plan, json, path) => {
    expect(() => fromJson(plan, json)).toThrow(
      expect.objectContaining({ failures: [{ path, value: "soon", problem: "must be a date" }] }) as Error,
    );
  });

  test.each<[string, unknown, unknown]>([
    ["a URL is not an object with members", new URL("https://example.com/a"), "https://example.com/a"],
    ["an object with members is one", { at: date }, { at: text }],
    ["a map with string keys becomes an object", new Map([["a", date]]), { a: text }],
    ["a map with date keys becomes a list of pairs", new Map([[date, 1n]]), [[text, "1"]]],
  ])("distinguishes the values of a result: %s", (_, value, json) => {
    const plan: Conversion = {
      kind: "union",
      branches: [
        {
          when: { type: "object", required: ["at"] },
          convert: { kind: "object", properties: { at: { kind: "date" } } },
        },
        { when: { type: "object" }, convert: { kind: "map", object: true, values: { kind: "date" } } },
        {
          when: { type: "array" },
          convert: { kind: "map", keys: { kind: "date" }, values: { kind: "bigint" } },
        },
        { when: { type: "string" }, convert: { kind: "url" } },
      ],
    };
    expect(toJson(plan, value)).toEqual(json);
  });

  const number = { type: "number" } as const;
  const counts: Conversion = { kind: "map", object: true };
  const open = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
    type: "object",
    properties,
    required,
  });
  const object = { type: "object", properties: {}, additionalProperties: number } as const;

  test.each<[string, JsonSchema, unknown, unknown]>([
    ["that has more members", open({ id: number }), { id: 1 }, { id: 1 }],
    ["next to one without required members", open({ name: { type: "string" } }, []), {}, {}],
    [
      "if the value has undeclared members",
      open({ id: number }),
      { id: 1, hash: date },
      { id: 1, hash: date },
    ],
  ])("uses the alternative that declares most of a result: one %s", (_, other, more, kept) => {
    const plan: Conversion = {
      kind: "union",
      branches: [
        { when: other, convert: null },
        {
          when: open({ id: number, counts: object }, ["counts"]),
          convert: { kind: "object", properties: { counts } },
        },
      ],
    };
    const value = { ...(more as object), counts: new Map([["a", 1]]) };
    expect(toJson(plan, value)).toEqual({ ...(kept as object), counts: { a: 1 } });
  });

  test("uses the alternative that declares most of a nested object in a result", () => {
    const plan: Conversion = {
      kind: "union",
      branches: [
        { when: open({ of: open({ id: number }) }), convert: null },
        {
          when: open({ of: open({ id: number, counts: object }) }),
          convert: {
            kind: "object",
            properties: { of: { kind: "object", properties: { counts } } },
          },
        },
      ],
    };
    const value = { of: { id: 1, counts: new Map([["a", 1]]) } };
    expect(toJson(plan, value)).toEqual({ of: { id: 1, counts: { a: 1 } } });
  });

  test("uses the nearest alternative for a result that fits none, so that its map is an object in messages", () => {
    const branch = (name: string): { when: JsonSchema; convert: Conversion } => ({
      when: { ...open({ counts: object, [name]: number }), additionalProperties: false },
      convert: { kind: "object", properties: { counts } },
    });
    const plan: Conversion = { kind: "union", branches: [branch("a"), branch("b")] };
    const value = { counts: new Map([["x", "many"]]), b: 1 };
    expect(toJson(plan, value)).toEqual({ counts: { x: "many" }, b: 1 });
  });

  test("reports the first of many unparsable strings and the number of others", () => {
    const many = Array.from({ length: 1500 }, () => "soon");
    const all = /^`\[0\]` must be a date; .*`\[19\]` must be a date; and 1480 more problems$/;
    expect(() => fromJson({ kind: "array", items: { kind: "date" } }, many)).toThrow(all);
  });

  test("reads a leap second as the following second", () => {
    expect(fromJson({ kind: "date" }, "2016-12-31T23:59:60Z")).toEqual(new Date("2017-01-01T00:00:00Z"));
    expect(fromJson({ kind: "date" }, "2017-01-01T01:59:60.25+02:00")).toEqual(
      new Date("2017-01-01T00:00:00.250Z"),
    );
  });

  // Each alternative would convert the same member again, exponentially with the depth.
  test("visits each value once per alternative, however deeply it is nested", () => {
    const tree: Conversion = { kind: "ref", name: "Tree" };
    const branch = (name: string) => ({
      when: { type: "object" as const, required: [name] },
      convert: { kind: "object" as const, properties: { next: tree, [name]: { kind: "date" as const } } },
    });
    const named = { Tree: { kind: "union" as const, branches: [branch("a"), branch("b"), branch("c")] } };
    let looks = 0;
    let value: object = { c: date };
    let json: object = { c: text };
    for (let level = 0; level < 100; level++) {
      const inner = value;
      value = Object.defineProperty({ c: date }, "next", { enumerable: true, get: () => (looks++, inner) });
      json = { c: text, next: json };
    }
    expect(toJson(tree, value, named)).toEqual(json);
    expect(looks).toBe(300);
  });
});

describe("a tuple with defaults for its optional elements", () => {
  const tuple: Conversion = {
    kind: "tuple",
    items: [null, null, { kind: "date" }, null],
    defaults: { 1: { a: 1 }, 2: text },
  };

  test("gets the elements that an argument omits", () => {
    expect(fromJson(tuple, ["x"])).toEqual(["x", { a: 1 }, date]);
    expect(fromJson(tuple, ["x", 5])).toEqual(["x", 5, date]);
    expect(fromJson(tuple, [])).toEqual([]);
  });

  test("gets its own copy of each default", () => {
    const [first, second] = [fromJson(tuple, ["x"]), fromJson(tuple, ["x"])] as [unknown[], unknown[]];
    expect(first[1]).not.toBe(second[1]);
  });

  test("is unchanged in results", () => {
    expect(toJson(tuple, ["x"])).toEqual(["x"]);
  });
});
