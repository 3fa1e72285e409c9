import type { Row } from "./row.js";

export const tuples: Row[] = [
  { type: "[]", schema: { type: "array", items: {}, maxItems: 0 }, accepts: [[]], rejects: [[1]] },
  {
    type: "[string]",
    schema: { type: "array", prefixItems: [{ type: "string" }], items: false, minItems: 1, maxItems: 1 },
    accepts: [["a"]],
    rejects: [[], ["a", "b"], [1]],
  },
  {
    type: "[string, number]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [["a", 1]],
    rejects: [["a"], [1, "a"], ["a", 1, 2]],
  },
  {
    type: "[x: number, y: number]",
    schema: {
      type: "array",
      prefixItems: [{ type: "number" }, { type: "number" }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [[1, 2]],
    rejects: [[1], [1, 2, 3], ["1", 2]],
  },
  {
    type: "readonly [string, boolean]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "boolean" }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [["a", true]],
    rejects: [["a", 1]],
  },
  {
    type: "[string, number?]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 1,
      maxItems: 2,
    },
    accepts: [["a"], ["a", 1]],
    rejects: [[], ["a", "b"], ["a", 1, 2]],
  },
  {
    type: "[a?: string]",
    schema: { type: "array", prefixItems: [{ type: "string" }], items: false, minItems: 0, maxItems: 1 },
    accepts: [[], ["a"]],
    rejects: [[1], ["a", "b"]],
  },
  {
    type: "[string, ...number[]]",
    schema: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" }, minItems: 1 },
    accepts: [["a"], ["a", 1, 2]],
    rejects: [[], ["a", "b"], [1]],
  },
  {
    type: "[string, number?, ...boolean[]]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: { type: "boolean" },
      minItems: 1,
    },
    accepts: [["a"], ["a", 1], ["a", 1, true]],
    rejects: [
      ["a", true],
      ["a", 1, 2],
    ],
  },
  {
    type: "[...string[]]",
    schema: { type: "array", items: { type: "string" } },
    accepts: [[], ["a"]],
    rejects: [[1]],
  },
  {
    type: "[...string[], number]",
    schema: {
      type: "array",
      items: { type: ["string", "number"] },
      minItems: 1,
      contains: { type: "number" },
      minContains: 1,
      maxContains: 1,
    },
    warns: ["type-order-not-checked"],
    accepts: [[1], ["a", "b", 1]],
    rejects: [[], ["a"], [1, 2], [true]],
  },
  {
    type: "[string, ...number[], boolean]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }],
      items: { type: ["number", "boolean"] },
      minItems: 2,
      contains: { type: "boolean" },
      minContains: 1,
      maxContains: 1,
    },
    warns: ["type-order-not-checked"],
    accepts: [
      ["a", true],
      ["a", 1, 2, true],
    ],
    rejects: [["a"], ["a", 1], [1, true], ["a", "b", true]],
  },
  {
    type: "[...[string, number], ...boolean[]]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: { type: "boolean" },
      minItems: 2,
    },
    accepts: [
      ["a", 1],
      ["a", 1, true],
    ],
    rejects: [["a"], ["a", 1, 2]],
  },
  {
    type: "[[string, number], [boolean]]",
    schema: {
      type: "array",
      prefixItems: [
        {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
        { type: "array", prefixItems: [{ type: "boolean" }], items: false, minItems: 1, maxItems: 1 },
      ],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [[["a", 1], [true]]],
    rejects: [[["a"], [true]], [["a", 1]]],
  },
  {
    type: "[string, { a: number }]",
    schema: {
      type: "array",
      prefixItems: [
        { type: "string" },
        {
          type: "object",
          properties: { a: { type: "number" } },
          required: ["a"],
          additionalProperties: false,
        },
      ],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [["a", { a: 1 }]],
    rejects: [
      ["a", {}],
      ["a", { a: 1, b: 2 }],
    ],
  },
  {
    type: "[string] | [string, number]",
    schema: {
      anyOf: [
        { type: "array", prefixItems: [{ type: "string" }], items: false, minItems: 1, maxItems: 1 },
        {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
      ],
    },
    accepts: [["a"], ["a", 1]],
    rejects: [[], [1], ["a", 1, 2]],
  },
  {
    type: "Parameters<(a: string, b?: number) => void>",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 1,
      maxItems: 2,
    },
    accepts: [["a"], ["a", 1]],
    rejects: [[], [1]],
  },
  {
    type: "typeof pair",
    declare: 'const pair = ["x", 1] as const;',
    schema: {
      type: "array",
      prefixItems: [
        { type: "string", enum: ["x"] },
        { type: "integer", enum: [1] },
      ],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [["x", 1]],
    rejects: [["y", 1], ["x"]],
  },
  {
    type: "Repeat<string, 3>",
    declare:
      'type Repeat<T, N extends number, R extends T[] = []> = R["length"] extends N ? R : Repeat<T, N, [...R, T]>;',
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "string" }, { type: "string" }],
      items: false,
      minItems: 3,
      maxItems: 3,
    },
    accepts: [["a", "b", "c"]],
    rejects: [
      ["a", "b"],
      ["a", "b", "c", "d"],
    ],
  },
  {
    type: "[never?, ...string[]]",
    schema: { type: "array", items: {}, maxItems: 0 },
    accepts: [[]],
    rejects: [["a"], [1]],
  },
  {
    type: "[...never[], string]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }],
      items: false,
      minItems: 1,
      maxItems: 1,
    },
    accepts: [["a"]],
    rejects: [[], ["a", "b"]],
  },
  {
    // Their position tells what is a set.
    type: "[number, ...Set<string>[], string[]]",
    schema: {
      type: "array",
      prefixItems: [{ type: "number" }],
      items: {
        anyOf: [
          { type: "array", items: { type: "string" }, uniqueItems: true },
          { type: "array", items: { type: "string" } },
        ],
      },
      minItems: 2,
    },
    conversion: { kind: "tuple", items: [null], rest: { kind: "set" }, last: [null] },
    warns: ["type-order-not-checked"],
    accepts: [
      [1, []],
      [1, ["a"], ["b"], ["c", "c"]],
    ],
    rejects: [[1], ["a", []]],
    carried: true,
  },
];
