import type { Row } from "./row.js";

export const unions: Row[] = [
  { type: "string | null", schema: { type: ["string", "null"] }, accepts: ["a", null], rejects: [1] },
  { type: "null | number", schema: { type: ["number", "null"] }, accepts: [1, null], rejects: ["a"] },
  {
    type: "string | number | null",
    schema: { type: ["string", "number", "null"] },
    accepts: ["a", 1, null],
    rejects: [true],
  },
  {
    type: "{ a: string } | null",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { a: { type: "string" } },
          required: ["a"],
          additionalProperties: false,
        },
        { type: "null" },
      ],
    },
    accepts: [{ a: "x" }, null],
    rejects: [{}, 1],
  },
  {
    type: '"a" | "b" | null',
    schema: { type: ["string", "null"], enum: ["a", "b", null] },
    accepts: ["a", null],
    rejects: ["c"],
  },
  {
    type: "{ a: string } | { b: number }",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { a: { type: "string" } },
          required: ["a"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { b: { type: "number" } },
          required: ["b"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [{ a: "x" }, { b: 1 }],
    rejects: [{}, { a: 1 }, { c: 1 }],
  },
  {
    type: '{ kind: "circle"; r: number } | { kind: "square"; side: number }',
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["circle"] }, r: { type: "number" } },
          required: ["kind", "r"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["square"] }, side: { type: "number" } },
          required: ["kind", "side"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [
      { kind: "circle", r: 1 },
      { kind: "square", side: 1 },
    ],
    rejects: [{ kind: "circle", side: 1 }, { kind: "other" }, { r: 1 }],
  },
  {
    type: "{ ok: true; value: string } | { ok: false; error: string }",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { ok: { type: "boolean", enum: [true] }, value: { type: "string" } },
          required: ["ok", "value"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { ok: { type: "boolean", enum: [false] }, error: { type: "string" } },
          required: ["ok", "error"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [
      { ok: true, value: "x" },
      { ok: false, error: "x" },
    ],
    rejects: [{ ok: true, error: "x" }, { ok: false }],
  },
  {
    type: '{ type: "a" } | { type: "b"; extra: string } | string',
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { type: { type: "string", enum: ["a"] } },
          required: ["type"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { type: { type: "string", enum: ["b"] }, extra: { type: "string" } },
          required: ["type", "extra"],
          additionalProperties: false,
        },
        { type: "string" },
      ],
    },
    accepts: [{ type: "a" }, { type: "b", extra: "x" }, "s"],
    rejects: [{ type: "b" }, 1],
  },
  {
    type: "{ id: string; a: number } | { id: number; a: string }",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { id: { type: "string" }, a: { type: "number" } },
          required: ["id", "a"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { id: { type: "number" }, a: { type: "string" } },
          required: ["id", "a"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [
      { id: "x", a: 1 },
      { id: 1, a: "x" },
    ],
    rejects: [
      { id: "x", a: "x" },
      { id: 1, a: 1 },
    ],
  },
  {
    type: "{ v: string } | { v: string; w?: number }",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { v: { type: "string" } },
          required: ["v"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { v: { type: "string" }, w: { type: "number" } },
          required: ["v"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [{ v: "x" }, { v: "x", w: 1 }],
    rejects: [{ v: "x", w: "y" }],
  },
  {
    type: '{ kind: "a"; x: never } | { kind: "b"; y: string }',
    schema: {
      type: "object",
      properties: { kind: { type: "string", enum: ["b"] }, y: { type: "string" } },
      required: ["kind", "y"],
      additionalProperties: false,
    },
    accepts: [{ kind: "b", y: "z" }],
    rejects: [{ kind: "a" }, { kind: "a", x: 1 }],
  },
  {
    type: "string | number[] | { a: boolean }",
    schema: {
      anyOf: [
        { type: "string" },
        { type: "array", items: { type: "number" } },
        {
          type: "object",
          properties: { a: { type: "boolean" } },
          required: ["a"],
          additionalProperties: false,
        },
      ],
    },
    accepts: ["a", [1], { a: true }],
    rejects: [1, ["a"], {}],
  },
  { type: "boolean | null", schema: { type: ["boolean", "null"] }, accepts: [true, null], rejects: ["true"] },
  {
    type: "boolean | string[]",
    schema: { anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }] },
    accepts: [true, ["a"]],
    rejects: ["a"],
  },
  {
    type: "Maybe<string>",
    declare: "type Maybe<T> = T | null | undefined;",
    schema: { type: ["string", "null"] },
    accepts: ["a", null],
    rejects: [1],
  },
  {
    type: "{ a?: Maybe<number> }",
    declare: "type Maybe<T> = T | null | undefined;",
    schema: { type: "object", properties: { a: { type: ["number", "null"] } }, additionalProperties: false },
    accepts: [{}, { a: null }, { a: 1 }],
    rejects: [{ a: "1" }],
  },
  {
    type: "Shape",
    declare:
      'interface Circle { kind: "c"; r: number }\ninterface Square { kind: "s"; w: number }\ntype Shape = Circle | Square;',
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["c"] }, r: { type: "number" } },
          required: ["kind", "r"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["s"] }, w: { type: "number" } },
          required: ["kind", "w"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [
      { kind: "c", r: 1 },
      { kind: "s", w: 1 },
    ],
    rejects: [{ kind: "c", w: 1 }],
  },
  {
    type: "{ a: string } | { a: string; b: string }[]",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { a: { type: "string" } },
          required: ["a"],
          additionalProperties: false,
        },
        {
          type: "array",
          items: {
            type: "object",
            properties: { a: { type: "string" }, b: { type: "string" } },
            required: ["a", "b"],
            additionalProperties: false,
          },
        },
      ],
    },
    accepts: [{ a: "x" }, [{ a: "x", b: "y" }]],
    rejects: [[{ a: "x" }]],
  },
  {
    type: "string | undefined | null",
    schema: { type: ["string", "null"] },
    accepts: ["a", null],
    rejects: [1],
  },
  { type: "unknown | string", schema: {}, accepts: [1, "a", null], rejects: [] },
];
