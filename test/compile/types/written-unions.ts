import type { Row } from "./row.js";

const DECLARE = `
/** @pattern ^\\d{4}$ */ type Range = string;
/** @format uri */ type Link = string;
/** @minimum 1 @maximum 9 @integer */ type Port = number;
/** @minimum 1 */ type Count = number | "auto";
/** @minLength 2 */ type Code = "x" | Range;
/** @minItems 2 */ type Tags = string[];
/** @maxLength 3 */ type Size = number | string;
/** @minItems 2 */ type Pairs = { a: string }[];
type MaybeLink = "" | Link;
type Nested = MaybeLink | "none";
type OrEmpty<T> = "" | T;
type OrList<T> = T | T[];
type OrAny<T, Base> = T | (Base & Record<never, never>);
type OrBoxed<T> = T | { [Key in "value"]: T };
interface Page<T> { items: T[]; next?: OrEmpty<T> }
interface Hits extends Page<Link> {}
enum Color { Red = "red", Green = "green" }`.trim();

const range = { type: "string", pattern: "^\\d{4}$" } as const;
const link = { type: "string", format: "uri" } as const;
const URI = "https://example.com/";

/** Creates a row of which TypeScript cannot judge the samples, since any string is assignable to a `Range`. */
const row = (each: Omit<Row, "declare" | "carried">): Row => ({ declare: DECLARE, carried: true, ...each });

/** Unions of which the checker loses a part that the source contains. */
export const writtenUnions: Row[] = [
  // To the checker, each of these is the same type as its alternative.
  row({
    type: 'Size | "auto" | null',
    schema: {
      anyOf: [
        { type: ["number", "string", "null"], maxLength: 3 },
        { type: "string", enum: ["auto"] },
      ],
    },
    accepts: [1, "abc", "auto", null],
    rejects: ["abcd", true],
  }),
  row({
    type: '{ size: Size | "auto" }',
    schema: {
      type: "object",
      properties: {
        size: {
          anyOf: [
            { type: ["number", "string"], maxLength: 3 },
            { type: "string", enum: ["auto"] },
          ],
        },
      },
      required: ["size"],
      additionalProperties: false,
    },
    accepts: [{ size: 1 }, { size: "auto" }],
    rejects: [{ size: "abcd" }],
  }),
  row({
    type: "Pairs | Pairs",
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
      minItems: 2,
    },
    accepts: [[{ a: "x" }, { a: "y" }]],
    rejects: [[{ a: "x" }], "x"],
  }),
  row({
    type: '"pd" | "pw" | Range',
    schema: { anyOf: [{ type: "string", enum: ["pd", "pw"] }, range] },
    accepts: ["pd", "2026"],
    rejects: ["px", "26", "", 1],
  }),
  row({
    type: 'OrAny<"EUR" | "USD", string>',
    schema: { type: "string", examples: ["EUR", "USD"] },
    accepts: ["EUR", "GBP"],
    rejects: [1, null],
  }),
  row({ type: "OrAny<1 | 2, number>", schema: { type: "number" }, accepts: [1, 3.5], rejects: ["1"] }),
  row({
    type: 'OrBoxed<"a">',
    schema: {
      anyOf: [
        { type: "string", enum: ["a"] },
        {
          type: "object",
          properties: { value: { type: "string", enum: ["a"] } },
          required: ["value"],
          additionalProperties: false,
        },
      ],
    },
    accepts: ["a", { value: "a" }],
    rejects: ["b", { value: "b" }, {}],
  }),
  row({
    type: "MaybeLink",
    schema: { anyOf: [{ type: "string", enum: [""] }, link] },
    accepts: ["", URI],
    rejects: ["x", null],
  }),
  row({
    type: "Nested | null",
    schema: { anyOf: [{ type: ["string", "null"], enum: ["", "none", null] }, link] },
    accepts: ["", "none", URI, null],
    rejects: ["x"],
  }),
  row({ type: "Range | Link", schema: { anyOf: [range, link] }, accepts: ["2026", URI], rejects: ["x"] }),
  row({
    type: "Range | string | null",
    schema: { type: ["string", "null"] },
    accepts: ["x", null],
    rejects: [1],
  }),
  row({
    type: "0 | Port",
    schema: {
      anyOf: [
        { type: "integer", enum: [0] },
        { type: "integer", minimum: 1, maximum: 9 },
      ],
    },
    accepts: [0, 1, 9],
    rejects: [-1, 10, 1.5],
  }),
  row({
    type: "Count | boolean",
    schema: {
      anyOf: [{ type: "number", minimum: 1 }, { type: "string", enum: ["auto"] }, { type: "boolean" }],
    },
    accepts: [1, "auto", false],
    rejects: [0, "a"],
  }),
  row({
    // The tags of an alias are not about a choice in it.
    type: 'Code | "y"',
    schema: {
      anyOf: [
        { type: "string", enum: ["x", "y"] },
        { ...range, minLength: 2 },
      ],
    },
    accepts: ["x", "y", "2026"],
    rejects: ["z"],
  }),
  row({
    type: "Color | Range",
    schema: { anyOf: [{ type: "string", enum: ["red", "green"] }, range] },
    accepts: ["red", "2026"],
    rejects: ["blue"],
  }),
  row({
    type: "`a-${string}` | Range | Link",
    schema: { anyOf: [{ type: "string", pattern: "^(?:a-[\\s\\S]*|\\d{4})$" }, link] },
    accepts: ["a-", "2026", URI],
    rejects: ["b"],
  }),
  row({
    type: "Range[] | Link[]",
    schema: {
      anyOf: [
        { type: "array", items: range },
        { type: "array", items: link },
      ],
    },
    accepts: [[], ["2026"], [URI]],
    rejects: [["2026", URI], ["x"]],
  }),
  row({
    type: "Tags | Range[]",
    schema: {
      anyOf: [
        { type: "array", items: { type: "string" }, minItems: 2 },
        { type: "array", items: range },
      ],
    },
    accepts: [["a", "b"], ["2026"]],
    rejects: [["a"]],
  }),
  row({
    type: "OrList<Range>",
    schema: { anyOf: [range, { type: "array", items: range }] },
    accepts: ["2026", ["2026"]],
    rejects: ["x", ["x"]],
  }),
  row({
    type: "Page<Range>",
    schema: {
      type: "object",
      properties: {
        items: { type: "array", items: range },
        next: { anyOf: [{ type: "string", enum: [""] }, range] },
      },
      required: ["items"],
      additionalProperties: false,
    },
    accepts: [{ items: ["2026"], next: "" }],
    rejects: [{ items: ["x"] }, { items: [], next: "x" }],
  }),
  row({
    type: "Partial<Hits>",
    schema: {
      type: "object",
      properties: {
        items: { type: "array", items: link },
        next: { anyOf: [{ type: "string", enum: [""] }, link] },
      },
      additionalProperties: false,
    },
    accepts: [{ items: [URI], next: "" }, {}],
    rejects: [{ items: ["x"] }, { next: "x" }],
  }),
  row({
    type: 'Page<Range>["next"]',
    schema: { anyOf: [{ type: "string", enum: [""] }, range] },
    accepts: ["", "2026"],
    rejects: ["x"],
  }),
  row({
    type: 'Record<"a", "pd" | Range>',
    schema: {
      type: "object",
      properties: { a: { anyOf: [{ type: "string", enum: ["pd"] }, range] } },
      required: ["a"],
      additionalProperties: false,
    },
    accepts: [{ a: "pd" }],
    rejects: [{ a: "x" }],
  }),
  row({
    type: "{ [name: string]: OrEmpty<Link> }",
    schema: {
      type: "object",
      properties: {},
      additionalProperties: { anyOf: [{ type: "string", enum: [""] }, link] },
    },
    accepts: [{ a: "", b: URI }],
    rejects: [{ a: "x" }],
  }),
  row({
    type: 'Set<"pd" | Range>',
    schema: { type: "array", items: { anyOf: [{ type: "string", enum: ["pd"] }, range] }, uniqueItems: true },
    conversion: { kind: "set" },
    accepts: [["pd", "2026"]],
    rejects: [["x"], ["pd", "pd"]],
  }),
  row({
    type: '["pd" | Range]',
    schema: {
      type: "array",
      prefixItems: [{ anyOf: [{ type: "string", enum: ["pd"] }, range] }],
      items: { anyOf: [{ type: "string", enum: ["pd"] }, range] },
      minItems: 1,
      maxItems: 1,
    },
    exact: {
      type: "array",
      prefixItems: [{ anyOf: [{ type: "string", enum: ["pd"] }, range] }],
      items: false,
      minItems: 1,
      maxItems: 1,
    },
    accepts: [["pd"], ["2026"]],
    rejects: [["x"], [], ["pd", "pd"]],
  }),
  row({ type: "NonNullable<Range | null>", schema: range, accepts: ["2026"], rejects: ["x", null] }),
  row({ type: '"a" | string', schema: { type: "string" }, accepts: ["a", "b"], rejects: [1] }),
  row({ type: "1 | 2 | number", schema: { type: "number" }, accepts: [1, 3], rejects: ["1"] }),
];
