import { BIGINT_PATTERN, type JsonSchema, type JsonValue } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
// Internal: coercion is tested with a table of schemas and values.
import { coerce } from "../../packages/runtime/src/data/conversion/coercion.js";

const number: JsonSchema = { type: "number" };
const text: JsonSchema = { type: "string" };
const bigint: JsonSchema = { type: "string", pattern: BIGINT_PATTERN };
const moment: JsonSchema = { type: "string", format: "date-time" };
const link: JsonSchema = { type: "string", format: "uri" };
const day: JsonSchema = { type: "string", format: "date" };
const toList = (items: JsonSchema): JsonSchema => ({ type: "array", items });

describe("a value with exactly one interpretation", () => {
  test.each<[string, JsonSchema, JsonValue, JsonValue]>([
    ["text instead of a number", number, "5", 5],
    ["text for an integer", { type: "integer" }, "5.0", 5],
    ["text for a boolean", { type: "boolean" }, "False", false],
    ["text for null", { type: ["number", "null"] }, "null", null],
    ["text instead of a number among choices", { type: ["integer", "string"], enum: [1, "auto"] }, "1", 1],
    ["text for null or a date-time", { ...moment, type: ["string", "null"] }, "null", null],
    ["JSON for an object", { type: "object", properties: { a: number } }, '{"a":"1"}', { a: 1 }],
    ["JSON for an array", toList(number), '["1"]', [1]],
    ["one item for an array", toList(text), "Oslo", ["Oslo"]],
    ["one object for an array", toList({ type: "object" }), { a: 1 }, [{ a: 1 }]],
    [
      "an object for an object or a list of them",
      {
        anyOf: [
          { type: "object", properties: { a: number } },
          toList({ type: "object", properties: { a: number } }),
        ],
      },
      { a: "1" },
      { a: 1 },
    ],
    [
      "a list for an object or a list of them",
      {
        anyOf: [
          { type: "object", properties: { a: number } },
          toList({ type: "object", properties: { a: number } }),
        ],
      },
      [{ a: "1" }],
      [{ a: 1 }],
    ],
    [
      "an object for an object or a list of others",
      {
        anyOf: [
          { type: "object", properties: { b: number }, required: ["b"] },
          toList({ type: "object", properties: { a: number }, required: ["a"] }),
        ],
      },
      { a: "1" },
      [{ a: 1 }],
    ],
    ["one item that is not a list", { anyOf: [number, toList(text)] }, "Oslo", ["Oslo"]],
    ["one item that is not a choice", { anyOf: [{ const: "all" }, toList(text)] }, "Oslo", ["Oslo"]],
    ["a number in text, for a number or a list", { anyOf: [number, toList(number)] }, "5", 5],
    [
      "a date for a date-time or a list",
      { anyOf: [moment, toList(moment)] },
      "2027-01-31",
      "2027-01-31T00:00:00Z",
    ],
    ["a list in text, for a number or a list", { anyOf: [number, toList(number)] }, "[5]", [5]],
    ["a number for a choice with its digits", { type: "string", enum: ["1", "2"] }, 1, "1"],
    ["a number for a constant with its digits", { type: "string", const: "5" }, 5, "5"],
    ["a number for one of several kinds of choices", { enum: ["1", "auto", null] }, 1, "1"],
    ["a number for a bigint", bigint, 9007199254740991, "9007199254740991"],
    ["a number for a bigint in an array", toList(bigint), [1, "2", -3], ["1", "2", "-3"]],
    [
      "a URL with non-ASCII letters",
      link,
      "https://example.com/Käse?q=ü",
      "https://example.com/K%C3%A4se?q=%C3%BC",
    ],
    ["a URL with a space", link, "https://example.com/a b", "https://example.com/a%20b"],
    ["a URL with an international host", link, "https://müller.example/", "https://xn--mller-kva.example/"],
    ["a date for a date-time", moment, "2027-01-31", "2027-01-31T00:00:00Z"],
    ["a date-time without a zone", moment, "2027-01-31 09:30", "2027-01-31T09:30:00Z"],
    ["a date-time without a zone, to the second", moment, "2027-01-31T09:30:15.5", "2027-01-31T09:30:15.5Z"],
    ["a date-time without seconds", moment, "2027-01-31T09:30+02:00", "2027-01-31T09:30:00+02:00"],
    ["a date-time with a short zone", moment, "2027-01-31T09:30:00-0330", "2027-01-31T09:30:00-03:30"],
    ["a date-time with a named zone", moment, "2027-01-31 09:30 UTC", "2027-01-31T09:30:00Z"],
    ["midnight for a date", day, "2027-01-31T00:00:00.000Z", "2027-01-31"],
    ["midnight without a zone for a date", day, "2027-01-31T00:00", "2027-01-31"],
    ["a date among choices", { anyOf: [{ enum: ["now"] }, moment] }, "2027-01-31", "2027-01-31T00:00:00Z"],
    [
      "a member whose name matches a pattern",
      { type: "object", patternProperties: { "^\\d+$": moment }, additionalProperties: false },
      { 1: "2027-01-31" },
      { 1: "2027-01-31T00:00:00Z" },
    ],
    ["a number for an optional bigint", { type: ["string", "null"], pattern: BIGINT_PATTERN }, 5, "5"],
  ])("is coerced: %s", (_, schema, sent, expected) => {
    expect(coerce(schema, sent)).toEqual(expected);
  });

  test("stays the same however often it is read", () => {
    // V8 optimizes the functions on the way.
    const read = new Set(Array.from({ length: 20_000 }, () => coerce(link, "https://müller.example/")));
    expect([...read]).toEqual(["https://xn--mller-kva.example/"]);
  });

  test("is coerced: null for an optional member", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        a: text,
        b: { type: ["string", "null"] },
        c: text,
        d: text,
        e: { default: 1, ...number },
      },
      required: ["d"],
    };
    const sent = { a: null, b: null, c: "x", d: null, e: null, other: null };
    expect(coerce(schema, sent)).toEqual({ b: null, c: "x", d: null, other: null });
  });
});

describe("an ambiguous value", () => {
  test.each<[string, JsonSchema, JsonValue]>([
    ["a number for a string", text, 5],
    ["a number for a string of digits", { type: "string", pattern: "^\\d+$" }, 5],
    ["a number that has lost digits", bigint, 9007199254740992],
    ["a fraction for a bigint", bigint, 1.5],
    ["a number whose digits are not a choice", { type: "string", enum: ["1.0", "01"] }, 1],
    ["a fraction, which may have lost a zero", { type: "string", enum: ["1.1", "1.10"] }, 1.1],
    ["a choice that has lost digits", { type: "string", enum: ["9007199254740992"] }, 9007199254740992],
    ["a date that does not exist", moment, "2027-02-30"],
    ["a date whose order is unclear", moment, "01/02/2027"],
    ["a date written out", moment, "31 January 2027"],
    ["seconds of an unknown unit", moment, 1801353600],
    ["text without a scheme for a URL", link, "example.com/Käse"],
    ["a path of Windows for a URL", link, String.raw`c:\Käse`],
    ["a URL with a space in its host", link, "https://exa mple.com/"],
    ["a time for a date-time", moment, "09:30"],
    ["a date-time with an incomplete zone", moment, "2027-01-31T09:30+2"],
    ["a date-time that is not midnight for a date", day, "2027-01-31T09:30:00Z"],
    ["midnight in another zone for a date", day, "2027-01-31T00:00:00+02:00"],
    ["a time without a zone for a date-time or time", { type: "string", format: "time" }, "09:30"],
    ["a number for a boolean", { type: "boolean" }, 1],
    ["a choice in another case", { type: "string", enum: ["red"] }, "Red"],
    ["a number in text that is a choice itself", { enum: [1, "1", "auto"] }, "1"],
    ["a number in text that is not a choice", { type: ["integer", "string"], enum: [1, "auto"] }, "2"],
    ["a number in text, where any text is valid", { type: ["number", "string"] }, "1"],
    ["several items in one string", toList(text), "Oslo, Bergen"],
    ["unfinished JSON", toList(text), '["Oslo"'],
    [
      "a number beyond the limit of a number or a list",
      { anyOf: [{ type: "number", minimum: 10 }, toList(number)] },
      5,
    ],
    ["the text of such a number", { anyOf: [{ type: "number", minimum: 10 }, toList(number)] }, "5"],
    [
      "text beyond the limit of text or a list",
      { anyOf: [{ type: "string", maxLength: 4 }, toList(text)] },
      "Bergen",
    ],
    [
      "a member whose conversion for one alternative fits another",
      {
        anyOf: [
          { type: "object", properties: { at: moment, by: text }, required: ["at", "by"] },
          { type: "object", properties: { at: { type: "string", pattern: "T.*Z$" } }, required: ["at"] },
        ],
      },
      { at: "2027-01-31" },
    ],
    ["null for a list", toList(text), null],
    ["null for an item", toList(text), [null]],
    ["text that fits two types", { anyOf: [number, toList(text)] }, "5"],
    ["a single item for a list of anything", { type: "array", items: {} }, "Oslo"],
    ["text for any object", { anyOf: [{ type: "object" }, { type: "array", items: {} }] }, "Oslo"],
    ["empty text for a list", toList(text), ""],
    ["a single item for a tuple", { type: "array", prefixItems: [text] }, "Oslo"],
  ])("is left unchanged: %s", (_, schema, sent) => {
    expect(coerce(schema, sent)).toBe(sent);
  });
});
