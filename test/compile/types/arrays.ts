import type { Row } from "./row.js";

export const arrays: Row[] = [
  {
    type: "string[]",
    schema: { type: "array", items: { type: "string" } },
    accepts: [[], ["a"]],
    rejects: [[1], "a", {}, [null]],
  },
  {
    type: "readonly number[]",
    schema: { type: "array", items: { type: "number" } },
    accepts: [[], [1.5]],
    rejects: [["1"]],
  },
  {
    type: "Array<{ a: string }>",
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
    },
    accepts: [[{ a: "x" }]],
    rejects: [[{}], [{ a: 1 }]],
  },
  {
    type: "ReadonlyArray<string | null>",
    schema: { type: "array", items: { type: ["string", "null"] } },
    accepts: [["a", null]],
    rejects: [[1]],
  },
  {
    type: "string[][]",
    schema: { type: "array", items: { type: "array", items: { type: "string" } } },
    accepts: [[["a"], []]],
    rejects: [["a"]],
  },
  {
    type: "(string | number)[]",
    schema: { type: "array", items: { type: ["string", "number"] } },
    accepts: [["a", 1]],
    rejects: [[true]],
  },
  {
    type: '("a" | "b")[]',
    schema: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    accepts: [["a", "b", "a"]],
    rejects: [["c"]],
  },
  {
    type: "never[]",
    schema: { type: "array", items: {}, maxItems: 0 },
    accepts: [[]],
    rejects: [[1], [null]],
  },
  { type: "unknown[]", schema: { type: "array", items: {} }, accepts: [[1, "a", null]], rejects: [{}] },
  {
    type: "(string | undefined)[]",
    schema: { type: "array", items: { type: "string" } },
    accepts: [["a"]],
    rejects: [[1]],
  },
  {
    type: "string[] | null",
    schema: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
    accepts: [["a"], null],
    rejects: [[1], "a"],
  },
  {
    type: "string | string[]",
    schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    accepts: ["a", ["a"]],
    rejects: [[1], 1],
  },
  {
    type: "Tags",
    declare: "interface Tags extends Array<string> {}",
    schema: { type: "array", items: { type: "string" } },
    accepts: [["a"], []],
    rejects: [[1], {}],
    carried: true,
  },
  {
    type: "Codes",
    declare: "/** @minLength 2 */ type Code = string; interface Codes extends Array<Code> {}",
    schema: { type: "array", items: { type: "string", minLength: 2 } },
    accepts: [["ab"], []],
    rejects: [["a"]],
    carried: true,
  },
  {
    type: "NonEmpty<Code>",
    declare:
      "/** @minLength 2 */ type Code = string; interface NonEmpty<T> extends ReadonlyArray<T> { readonly 0: T }",
    schema: { type: "array", items: { type: "string", minLength: 2 }, minItems: 1 },
    accepts: [["ab"], ["ab", "cd"]],
    rejects: [[], ["a"]],
    carried: true,
  },
  {
    type: "Pair",
    declare: "interface Pair extends Array<string | number> { 0: string; 1: number; length: 2 }",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: { type: ["string", "number"] },
      minItems: 2,
      maxItems: 2,
    },
    accepts: [["a", 1]],
    rejects: [[], ["a"], [1, "a"], ["a", 1, 2]],
  },
  {
    type: "ArrayLike<Code>",
    declare: "/** @minLength 2 */ type Code = string;",
    schema: { type: "array", items: { type: "string", minLength: 2 } },
    accepts: [["ab"], []],
    rejects: [["a"], [1], {}],
    carried: true,
  },
  {
    type: "Json",
    declare: "type Json = string | null | Items; interface Items extends ArrayLike<Json> {}",
    schema: {
      anyOf: [{ type: ["string", "null"] }, { type: "array", items: { $ref: "#/$defs/Json" } }],
      $defs: {
        Json: { anyOf: [{ type: ["string", "null"] }, { type: "array", items: { $ref: "#/$defs/Json" } }] },
      },
    },
    accepts: [[["a", null]], null],
    rejects: [1, [1]],
  },
  {
    type: "Ids",
    warns: ["type-methods-missing"],
    declare: "class Ids extends Array<string> { first() { return this[0] } }",
    schema: { type: "array", items: { type: "string" } },
    accepts: [["a"]],
    rejects: [[1]],
    carried: true,
  },
  {
    type: "string[] | number[]",
    schema: {
      anyOf: [
        { type: "array", items: { type: "string" } },
        { type: "array", items: { type: "number" } },
      ],
    },
    accepts: [["a"], [1], []],
    rejects: [["a", 1], [true]],
  },
  {
    type: "{ weeks: Weeks; items: Items<Count>; week: Week | null }",
    declare: `
/** @integer */ type Count = number;
type Week = readonly Count[];
type Weeks = Week[];
type Items<T> = T[];`,
    schema: {
      type: "object",
      properties: {
        weeks: { type: "array", items: { type: "array", items: { type: "integer" } } },
        items: { type: "array", items: { type: "integer" } },
        week: { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "null" }] },
      },
      required: ["weeks", "items", "week"],
      additionalProperties: false,
    },
    accepts: [{ weeks: [[1]], items: [1], week: null }],
    rejects: [
      { weeks: [[1.5]], items: [1], week: null },
      { weeks: [[1]], items: [1.5], week: null },
      { weeks: [[1]], items: [1], week: [1.5] },
    ],
    carried: true,
  },
  {
    type: "Pair",
    declare:
      "/** @integer */ type Count = number;\ntype Week = Count[];\ntype Pair = [first: Count, ...rest: Week];",
    schema: { type: "array", prefixItems: [{ type: "integer" }], minItems: 1, items: { type: "integer" } },
    accepts: [[1], [1, 2]],
    rejects: [[1.5], [1, 2.5], []],
    carried: true,
  },
];
