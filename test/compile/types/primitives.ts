import type { Row } from "./row.js";

export const primitives: Row[] = [
  { type: "string", schema: { type: "string" }, accepts: ["", "a", "é🙂"], rejects: [1, true, null, {}, []] },
  { type: "number", schema: { type: "number" }, accepts: [0, -1.5, 1e21], rejects: ["1", true, null] },
  { type: "boolean", schema: { type: "boolean" }, accepts: [true, false], rejects: ["true", 0, null] },
  { type: "null", schema: { type: "null" }, accepts: [null], rejects: [0, "", false, {}] },
  { type: "unknown", schema: {}, accepts: [null, 1, "a", {}, [1]], rejects: [] },
  {
    type: "object",
    schema: {
      anyOf: [
        { type: "object", properties: {} },
        { type: "array", items: {} },
      ],
    },
    accepts: [{}, { a: 1 }, [], [1]],
    rejects: ["a", 1, true, null],
  },
  {
    type: "{}",
    schema: {
      anyOf: [
        { type: ["string", "number", "boolean"] },
        { type: "object", properties: {} },
        { type: "array", items: {} },
      ],
    },
    accepts: [{}, { a: 1 }, [], "a", 1, false],
    rejects: [null],
  },
  {
    type: "NonNullable<unknown>",
    schema: {
      anyOf: [
        { type: ["string", "number", "boolean"] },
        { type: "object", properties: {} },
        { type: "array", items: {} },
      ],
    },
    accepts: [{}, "a", 0, []],
    rejects: [null],
  },
  {
    type: "string | number | boolean",
    schema: { type: ["string", "number", "boolean"] },
    accepts: ["a", 1, true],
    rejects: [null, {}, []],
  },
  {
    // `minimum` is about numbers, and JSON writes a bigint as text.
    type: "{ n: Count; m?: Small | null }",
    declare:
      "/** How many. @minimum 1 @multipleOf 5 */ type Count = bigint;\n/** @maximum 9_007_199_254_740_993n */ type Small = Count;",
    schema: {
      type: "object",
      properties: {
        n: {
          type: "string",
          pattern: "^-?\\d+$",
          description: "How many.\nAt least 1. A multiple of 5.",
        },
        m: {
          type: ["string", "null"],
          pattern: "^-?\\d+$",
          description: "How many.\nAt least 1. A multiple of 5. At most 9007199254740993.",
        },
      },
      required: ["n"],
      additionalProperties: false,
    },
    conversion: {
      kind: "object",
      properties: {
        n: { kind: "bigint", limits: { minimum: "1", multipleOf: "5" } },
        m: { kind: "bigint", limits: { minimum: "1", multipleOf: "5", maximum: "9007199254740993" } },
      },
    },
    accepts: [{ n: "5" }, { n: "5", m: null }],
    rejects: [{ n: 5 }, { n: "1.5" }],
    carried: true,
  },
  {
    type: "bigint",
    schema: { type: "string", pattern: "^-?\\d+$" },
    conversion: { kind: "bigint" },
    accepts: ["0", "-12", "123456789012345678901234567890"],
    rejects: ["1.5", "a", "", 1, null],
    carried: true,
  },
  {
    type: "10n",
    schema: { type: "string", enum: ["10"] },
    conversion: { kind: "bigint" },
    accepts: ["10"],
    rejects: ["11", 10],
    carried: true,
  },
  {
    type: "1n | 2n",
    schema: { type: "string", enum: ["1", "2"] },
    conversion: {
      kind: "union",
      branches: [
        { when: { enum: ["1"] }, convert: { kind: "bigint" } },
        { when: { enum: ["2"] }, convert: { kind: "bigint" } },
      ],
    },
    accepts: ["1", "2"],
    rejects: ["3", 1],
    carried: true,
  },
  { type: "undefined | string", schema: { type: "string" }, accepts: ["a"], rejects: [1, null] },
  { type: "string | void", schema: { type: "string" }, accepts: ["a"], rejects: [1, null] },
  { type: "any", schema: {}, warns: ["type-any"], accepts: [null, 1, {}], rejects: [] },
  {
    type: "{ a: any; b: unknown }",
    schema: {
      type: "object",
      properties: { a: {}, b: {} },
      required: ["a", "b"],
      additionalProperties: false,
    },
    warns: ["type-any"],
    accepts: [
      { a: 1, b: null },
      { a: null, b: [] },
    ],
    rejects: [null, [], { a: 1, b: 1, c: 1 }],
  },
];
