import type { Row } from "./row.js";

export const generics: Row[] = [
  {
    type: "Page<string>",
    declare: "interface Page<T> { items: T[]; next?: string }",
    schema: {
      type: "object",
      properties: { items: { type: "array", items: { type: "string" } }, next: { type: "string" } },
      required: ["items"],
      additionalProperties: false,
    },
    accepts: [{ items: ["a"], next: "x" }, { items: [] }],
    rejects: [{ items: [1] }],
  },
  {
    type: "Page<Page<number>>",
    declare: "interface Page<T> { items: T[] }",
    schema: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { items: { type: "array", items: { type: "number" } } },
            required: ["items"],
            additionalProperties: false,
          },
        },
      },
      required: ["items"],
      additionalProperties: false,
    },
    accepts: [{ items: [{ items: [1] }] }],
    rejects: [{ items: [{ items: ["a"] }] }],
  },
  {
    type: "Result<string>",
    declare: "type Result<T, E = string> = { ok: true; value: T } | { ok: false; error: E };",
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
    rejects: [{ ok: true }],
  },
  {
    type: "Keyed<{ id: string; n: number }>",
    declare: "interface Keyed<T extends { id: string }, K extends keyof T = keyof T> { key: K }",
    schema: {
      type: "object",
      properties: { key: { type: "string", enum: ["id", "n"] } },
      required: ["key"],
      additionalProperties: false,
    },
    accepts: [{ key: "id" }],
    rejects: [{ key: "x" }],
  },
  {
    type: 'Pair<string, number>["second"]',
    declare: "interface Pair<A, B> { first: A; second: B }",
    schema: { type: "number" },
    accepts: [1],
    rejects: ["a"],
  },
  {
    type: "Flatten<string[][]>",
    declare: "type Flatten<T> = T extends (infer U)[] ? Flatten<U> : T;",
    schema: { type: "string" },
    accepts: ["a"],
    rejects: [["a"]],
  },
  {
    type: "ToArray<string | number>",
    declare: "type ToArray<T> = T extends unknown ? T[] : never;",
    schema: {
      anyOf: [
        { type: "array", items: { type: "number" } },
        { type: "array", items: { type: "string" } },
      ],
    },
    accepts: [["a"], [1]],
    rejects: [["a", 1]],
  },
  {
    type: 'IsString<"a">',
    declare: "type IsString<T> = T extends string ? true : false;",
    schema: { type: "boolean", enum: [true] },
    accepts: [true],
    rejects: [false],
  },
  {
    type: "Unwrap<Promise<number>>",
    declare: "type Unwrap<T> = T extends Promise<infer U> ? U : T;",
    schema: { type: "number" },
    accepts: [1],
    rejects: ["a"],
  },
  {
    type: "First<[string, number]>",
    declare: "type First<T extends unknown[]> = T extends [infer F, ...unknown[]] ? F : never;",
    schema: { type: "string" },
    accepts: ["a"],
    rejects: [1],
  },
  {
    type: "Or<string>",
    declare: "type Or<T, D = 0> = T | D;",
    schema: { anyOf: [{ type: "string" }, { type: "integer", enum: [0] }] },
    accepts: ["a", 0],
    rejects: [1],
  },
];
