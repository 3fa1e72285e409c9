import type { Row } from "./row.js";

export const mapped: Row[] = [
  {
    type: "Partial<Person>",
    declare: "interface Person { name: string; age: number }",
    schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "number" } },
      additionalProperties: false,
    },
    accepts: [{}, { name: "x" }],
    rejects: [{ name: 1 }],
  },
  {
    type: "Required<Person>",
    declare: "interface Person { name?: string; age?: number }",
    schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "number" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
    accepts: [{ name: "x", age: 1 }],
    rejects: [{ name: "x" }],
  },
  {
    type: "Readonly<Person>",
    declare: "interface Person { name: string }",
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: false,
    },
    accepts: [{ name: "x" }],
    rejects: [{}],
  },
  {
    type: 'Pick<Person, "age" | "name">',
    declare: "interface Person { name: string; age: number; city: string }",
    schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "number" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
    accepts: [{ name: "x", age: 1 }],
    rejects: [{ name: "x" }, { name: "x", age: 1, city: "y" }],
  },
  {
    type: 'Omit<Person, "city">',
    declare: "interface Person { name: string; age: number; city: string }",
    schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "number" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
    accepts: [{ name: "x", age: 1 }],
    rejects: [{ name: "x" }, { name: "x", age: 1, city: "y" }],
  },
  {
    type: "NonNullable<string | null | undefined>",
    schema: { type: "string" },
    accepts: ["a"],
    rejects: [null],
  },
  {
    type: '{ [K in "b" | "a"]: number }',
    schema: {
      type: "object",
      properties: { b: { type: "number" }, a: { type: "number" } },
      required: ["b", "a"],
      additionalProperties: false,
    },
    accepts: [{ a: 1, b: 2 }],
    rejects: [{ a: 1 }],
  },
  {
    type: '{ [K in "b" | "a"]?: K }',
    schema: {
      type: "object",
      properties: { b: { type: "string", enum: ["b"] }, a: { type: "string", enum: ["a"] } },
      additionalProperties: false,
    },
    accepts: [{}, { a: "a" }],
    rejects: [{ a: "b" }],
  },
  {
    type: "{ -readonly [K in keyof Person]-?: Person[K] }",
    declare: "interface Person { readonly name?: string }",
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: false,
    },
    accepts: [{ name: "x" }],
    rejects: [{}],
  },
  {
    type: "Getters<{ name: string; age: number }>",
    declare: "type Getters<T> = { [K in keyof T as `get${Capitalize<K & string>}`]: T[K] };",
    schema: {
      type: "object",
      properties: { getName: { type: "string" }, getAge: { type: "number" } },
      required: ["getName", "getAge"],
      additionalProperties: false,
    },
    accepts: [{ getName: "x", getAge: 1 }],
    rejects: [{ name: "x" }, { getName: "x" }],
  },
  {
    type: "Strings<{ a: string; b: number; c: string }>",
    declare: "type Strings<T> = { [K in keyof T as T[K] extends string ? K : never]: T[K] };",
    schema: {
      type: "object",
      properties: { a: { type: "string" }, c: { type: "string" } },
      required: ["a", "c"],
      additionalProperties: false,
    },
    accepts: [{ a: "x", c: "y" }],
    rejects: [{ a: "x" }, { a: "x", c: "y", b: 1 }],
  },
  {
    type: "DeepPartial<{ a: { b: string; c: number[] } }>",
    declare:
      "type DeepPartial<T> = T extends unknown[] ? T : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;",
    schema: {
      type: "object",
      properties: {
        a: {
          type: "object",
          properties: { b: { type: "string" }, c: { type: "array", items: { type: "number" } } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    accepts: [{}, { a: {} }, { a: { b: "x" } }],
    rejects: [{ a: { b: 1 } }],
  },
  {
    type: "Nullable<{ a: string }>",
    declare: "type Nullable<T> = { [K in keyof T]: T[K] | null };",
    schema: {
      type: "object",
      properties: { a: { type: ["string", "null"] } },
      required: ["a"],
      additionalProperties: false,
    },
    accepts: [{ a: null }, { a: "x" }],
    rejects: [{}, { a: 1 }],
  },
  {
    type: 'Flags<"dark" | "compact">',
    declare: "type Flags<K extends string> = { [P in K]: boolean };",
    schema: {
      type: "object",
      properties: { dark: { type: "boolean" }, compact: { type: "boolean" } },
      required: ["dark", "compact"],
      additionalProperties: false,
    },
    accepts: [{ dark: true, compact: false }],
    rejects: [{ dark: true }],
  },
  {
    type: "Partial<string[]>",
    schema: { type: "array", items: { type: "string" } },
    accepts: [["a"]],
    rejects: [[1]],
  },
  {
    type: "Readonly<[string, number]>",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: { type: ["string", "number"] },
      minItems: 2,
      maxItems: 2,
    },
    exact: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    accepts: [["a", 1]],
    rejects: [["a"]],
  },
  {
    type: "ElementsOf<typeof routes>",
    declare:
      'const routes = [{ path: "/a" }, { path: "/b" }] as const;\ntype ElementsOf<T extends readonly unknown[]> = T[number];',
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { path: { type: "string", enum: ["/a"] } },
          required: ["path"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { path: { type: "string", enum: ["/b"] } },
          required: ["path"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [{ path: "/a" }, { path: "/b" }],
    rejects: [{ path: "/c" }],
  },
];
