import type { Row } from "./row.js";

export const records: Row[] = [
  {
    type: "{ [/** @pattern ^[A-Z]{3}$ */ code: string]: string }",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    exact: {
      type: "object",
      properties: {},
      propertyNames: { type: "string", pattern: "^[A-Z]{3}$" },
      additionalProperties: { type: "string" },
    },
    accepts: [{ NOK: "x" }, {}],
    rejects: [{ NOK: 1 }, { nok: "x" }],
    carried: true,
  },
  // The tags of an alias for text also apply to the names. Not every client accepts the keyword for it.
  {
    type: "Record<Code, number>",
    declare: "/** A code. @pattern ^[A-Z]{3}$ */ type Code = string;",
    schema: { type: "object", properties: {}, additionalProperties: { type: "number" } },
    exact: {
      type: "object",
      properties: {},
      propertyNames: { type: "string", pattern: "^[A-Z]{3}$" },
      additionalProperties: { type: "number" },
    },
    accepts: [{}, { EUR: 1 }],
    rejects: [{ euro: 1 }, { EUR: "1" }],
    carried: true,
  },
  {
    type: "{ base: string; [code: Code]: string }",
    declare: "/** @minLength 5 */ type Code = string;",
    schema: {
      type: "object",
      properties: { base: { type: "string" } },
      required: ["base"],
      additionalProperties: { type: "string" },
    },
    exact: {
      type: "object",
      properties: { base: { type: "string" } },
      required: ["base"],
      propertyNames: {
        anyOf: [
          { type: "string", enum: ["base"] },
          { type: "string", minLength: 5 },
        ],
      },
      additionalProperties: { type: "string" },
    },
    accepts: [{ base: "x" }, { base: "x", euros: "y" }],
    rejects: [{ euros: "y" }, { base: "x", eur: "y" }],
    carried: true,
  },
  {
    type: "Map<Code, Date>",
    declare: '/** @pattern ^[A-Z]{3}$ */ type Code = string & { readonly brand: "code" };',
    schema: {
      type: "object",
      properties: {},
      additionalProperties: { type: "string", format: "date-time" },
    },
    exact: {
      type: "object",
      properties: {},
      additionalProperties: { type: "string", format: "date-time" },
      propertyNames: { type: "string", pattern: "^[A-Z]{3}$" },
    },
    conversion: { kind: "map", object: true, values: { kind: "date" } },
    accepts: [{ EUR: "2026-07-28T09:30:00Z" }],
    rejects: [{ euro: "2026-07-28T09:30:00Z" }],
    carried: true,
  },
  {
    type: "Record<string, number>",
    schema: { type: "object", properties: {}, additionalProperties: { type: "number" } },
    accepts: [{}, { a: 1 }],
    rejects: [{ a: "x" }, null, []],
  },
  {
    type: "Record<string, unknown>",
    schema: { type: "object", properties: {}, additionalProperties: true },
    accepts: [{}, { a: [1] }],
    rejects: ["a", 1],
  },
  {
    type: 'Record<"a" | "b", number>',
    schema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
    accepts: [{ a: 1, b: 2 }],
    rejects: [{ a: 1 }, { a: 1, b: 2, c: 3 }],
  },
  {
    type: 'Partial<Record<"a" | "b", number>>',
    schema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      additionalProperties: false,
    },
    accepts: [{}, { a: 1 }],
    rejects: [{ c: 1 }],
  },
  {
    type: "Record<number, string>",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: { "^(?!-0$)-?(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?(?:e[+-]\\d+)?$": { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{}, { "1": "x", "2.5": "y" }],
    rejects: [{ "1": 1 }, { a: "x" }],
  },
  {
    type: "Record<`data-${string}`, string>",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: { "^data-[\\s\\S]*$": { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{}, { "data-a": "x" }],
    rejects: [{ "data-a": 1 }, { other: "x" }],
  },
  {
    type: "Record<never, string>",
    schema: { type: "object", properties: {}, additionalProperties: false },
    accepts: [{}],
    rejects: [{ a: "x" }],
    closed: [{ a: "x" }],
  },
  {
    type: "Record<string, never>",
    schema: { type: "object", properties: {}, additionalProperties: false },
    accepts: [{}],
    rejects: [{ a: 1 }],
  },
  {
    type: "{ [key: string]: string }",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    accepts: [{ a: "x" }],
    rejects: [{ a: 1 }],
  },
  {
    type: "{ [key: string]: string | number; id: number }",
    schema: {
      type: "object",
      properties: { id: { type: "number" } },
      required: ["id"],
      additionalProperties: { type: ["string", "number"] },
    },
    accepts: [{ id: 1 }, { id: 1, a: "x" }],
    rejects: [{ a: "x" }, { id: "x" }, { id: 1, a: true }],
  },
  {
    type: "{ [key: number]: string; name: string }",
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: { type: "string" },
    },
    exact: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      patternProperties: { "^(?!-0$)-?(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?(?:e[+-]\\d+)?$": { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{ name: "x" }, { "0": "y", name: "x" }],
    rejects: [{ "0": "y" }, { name: "x", other: "y" }],
  },
  {
    type: "{ [key: `x-${string}`]: number; id: string }",
    schema: {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      additionalProperties: { type: "number" },
    },
    exact: {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      patternProperties: { "^x-[\\s\\S]*$": { type: "number" } },
      additionalProperties: false,
    },
    accepts: [{ id: "a", "x-b": 1 }],
    rejects: [
      { id: "a", "x-b": "c" },
      { id: "a", other: 1 },
    ],
  },
  {
    type: "Record<string, { a: number }>",
    schema: {
      type: "object",
      properties: {},
      additionalProperties: {
        type: "object",
        properties: { a: { type: "number" } },
        required: ["a"],
        additionalProperties: false,
      },
    },
    accepts: [{ k: { a: 1 } }],
    rejects: [{ k: {} }],
  },
  {
    type: "Record<string, string[]>",
    schema: {
      type: "object",
      properties: {},
      additionalProperties: { type: "array", items: { type: "string" } },
    },
    accepts: [{ k: ["a"] }],
    rejects: [{ k: "a" }],
  },
  {
    type: "{ [key: string]: unknown }",
    schema: { type: "object", properties: {}, additionalProperties: true },
    accepts: [{ a: 1 }],
    rejects: [1],
  },
  {
    type: "Record<Uppercase<string>, number>",
    schema: { type: "object", properties: {}, additionalProperties: { type: "number" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: { "^\\P{Changes_When_Uppercased}*$": { type: "number" } },
      additionalProperties: false,
    },
    accepts: [{ ABC: 1 }],
    rejects: [{ abc: 1 }, { ABC: "x" }],
  },
  {
    type: "Dictionary",
    declare: "interface Dictionary { [word: string]: string }",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    accepts: [{ a: "x" }],
    rejects: [{ a: 1 }],
  },
  {
    // Without the pattern, the index signature would let the member have a value.
    type: "{ [key: string]: string | undefined; name: string; kind?: never; type?: undefined }",
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: { type: "string" },
    },
    exact: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      patternProperties: { "^(?!kind$|type$)[\\s\\S]*$": { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{ name: "a" }, { name: "a", kinds: "b" }],
    rejects: [
      { name: "a", kind: "b" },
      { name: "a", type: "b" },
      { name: "a", b: 1 },
    ],
  },
  {
    type: "Record<string, number> & { total?: string }",
    schema: { type: "object", properties: {}, additionalProperties: { type: "number" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: { "^(?!total$)[\\s\\S]*$": { type: "number" } },
      additionalProperties: false,
    },
    accepts: [{}, { a: 1 }],
    rejects: [{ total: 1 }, { total: "a" }],
  },
  {
    // A value that is `undefined` is absent in JSON, so it does not matter that the index signature excludes it.
    type: "Data & { scripts?: Partial<Record<string, string>>; bin?: string | { name?: string } & Partial<Record<string, string>> }",
    declare: "type Value = string | null | Value[] | Data;\ntype Data = { [K in string]: Value };",
    schema: {
      type: "object",
      properties: {
        scripts: { type: "object", properties: {}, additionalProperties: { type: "string" } },
        bin: {
          anyOf: [
            { type: "string" },
            {
              type: "object",
              properties: { name: { type: "string" } },
              additionalProperties: { type: "string" },
            },
          ],
        },
      },
      additionalProperties: { $ref: "#/$defs/Value" },
      $defs: {
        Value: {
          anyOf: [
            { type: ["string", "null"] },
            { type: "array", items: { $ref: "#/$defs/Value" } },
            { type: "object", properties: {}, additionalProperties: { $ref: "#/$defs/Value" } },
          ],
        },
      },
    },
    accepts: [{}, { scripts: { build: "tsc" }, bin: { a: "b" }, other: [null] }, { bin: "a" }],
    rejects: [{ scripts: "a" }, { scripts: { build: 1 } }, { bin: { a: null } }, { other: 1 }],
  },
  {
    type: "Record<string, { a: number; b: string }> & { x?: { a: number; b?: string } | null }",
    schema: {
      type: "object",
      properties: {
        x: {
          type: "object",
          properties: { a: { type: "number" }, b: { type: "string" } },
          required: ["a", "b"],
          additionalProperties: false,
        },
      },
      additionalProperties: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "string" } },
        required: ["a", "b"],
        additionalProperties: false,
      },
    },
    accepts: [{}, { x: { a: 1, b: "c" } }, { y: { a: 1, b: "c" } }],
    rejects: [{ x: { a: 1 } }, { x: null }, { y: { a: 1 } }],
  },
  {
    type: "{ [key: `x-${string}`]: never; [key: string]: string }",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: { "^(?!x-[\\s\\S]*$)[\\s\\S]*$": { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{}, { x: "a" }],
    rejects: [{ "x-": "a" }, { "x-a": "b", c: "d" }],
  },
  {
    type: "{ [key: `a${string}`]: string | number; ab: string }",
    schema: {
      type: "object",
      properties: { ab: { type: "string" } },
      required: ["ab"],
      additionalProperties: { type: ["string", "number"] },
    },
    exact: {
      type: "object",
      properties: { ab: { type: "string" } },
      required: ["ab"],
      patternProperties: { "^a[\\s\\S]*$": { type: ["string", "number"] } },
      additionalProperties: false,
    },
    accepts: [{ ab: "x" }, { ab: "x", ac: 1 }],
    rejects: [{ ab: 1 }, { ab: "x", c: 1 }],
  },
  {
    type: "Record<Id, string>",
    declare: "declare const brand: unique symbol;\ntype Id = number & { readonly [brand]: true };",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: { "^(?!-0$)-?(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?(?:e[+-]\\d+)?$": { type: "string" } },
      additionalProperties: false,
    },
    accepts: [{ 7: "a" }, {}],
    rejects: [{ a: "b" }, { 7: 7 }],
    carried: true,
  },
  {
    // The conversion of members with free names does not apply to declared members.
    type: "{ [key: `at_${string}`]: Date; name: string }",
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: { type: "string", format: "date-time" },
    },
    exact: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      patternProperties: { "^at_[\\s\\S]*$": { type: "string", format: "date-time" } },
      additionalProperties: false,
    },
    conversion: { kind: "object", properties: { name: null }, additional: { kind: "date" } },
    accepts: [{ name: "soon", at_noon: "2026-07-28T12:00:00Z" }],
    rejects: [{ name: "soon", at_noon: "soon" }],
    carried: true,
  },
  {
    type: "{ [key: `at_${string}`]: Date; [key: `in_${string}`]: string }",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    exact: {
      type: "object",
      properties: {},
      patternProperties: {
        "^at_[\\s\\S]*$": { type: "string", format: "date-time" },
        "^in_[\\s\\S]*$": { type: "string" },
      },
      additionalProperties: false,
    },
    conversion: {
      kind: "object",
      properties: {},
      patterns: [
        ["^at_[\\s\\S]*$", { kind: "date" }],
        ["^in_[\\s\\S]*$", null],
      ],
    },
    accepts: [{ at_noon: "2026-07-28T12:00:00Z", in_summer: "soon" }],
    rejects: [{ at_noon: "soon" }],
    carried: true,
  },
];
