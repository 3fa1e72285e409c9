import { BIGINT_PATTERN, type JsonSchema, type JsonValue } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
import { coerce } from "../../packages/runtime/src/explain/coercion.js";

const number: JsonSchema = { type: "number" };
const text: JsonSchema = { type: "string" };
const bigint: JsonSchema = { type: "string", pattern: BIGINT_PATTERN };
const moment: JsonSchema = { type: "string", format: "date-time" };
const day: JsonSchema = { type: "string", format: "date" };
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

describe("what clients send for want of a better way", () => {
  test.each<[string, JsonSchema, JsonValue, JsonValue]>([
    ["text for a number", number, "5", 5],
    ["text for an integer", { type: "integer" }, "5.0", 5],
    ["text for a boolean", { type: "boolean" }, "False", false],
    ["text for null", { type: ["number", "null"] }, "null", null],
    ["text for a number among choices", { type: ["integer", "string"], enum: [1, "auto"] }, "1", 1],
    ["text for null beside a moment", { ...moment, type: ["string", "null"] }, "null", null],
    ["JSON for an object", { type: "object", properties: { a: number } }, '{"a":"1"}', { a: 1 }],
    ["JSON for an array", listOf(number), '["1"]', [1]],
    ["one item for an array", listOf(text), "Oslo", ["Oslo"]],
    ["one object for an array", listOf({ type: "object" }), { a: 1 }, [{ a: 1 }]],
    ["one item that is no list", { anyOf: [number, listOf(text)] }, "Oslo", ["Oslo"]],
    ["a number for a bigint", bigint, 9007199254740991, "9007199254740991"],
    ["a number for a bigint in an array", listOf(bigint), [1, "2", -3], ["1", "2", "-3"]],
    ["a date for a moment", moment, "2027-01-31", "2027-01-31T00:00:00Z"],
    ["a moment without a zone", moment, "2027-01-31 09:30", "2027-01-31T09:30:00Z"],
    ["a moment without a zone, to the second", moment, "2027-01-31T09:30:15.5", "2027-01-31T09:30:15.5Z"],
    ["a moment without seconds", moment, "2027-01-31T09:30+02:00", "2027-01-31T09:30:00+02:00"],
    ["a moment with a short zone", moment, "2027-01-31T09:30:00-0330", "2027-01-31T09:30:00-03:30"],
    ["a moment with a zone in letters", moment, "2027-01-31 09:30 UTC", "2027-01-31T09:30:00Z"],
    ["a midnight for a day", day, "2027-01-31T00:00:00.000Z", "2027-01-31"],
    ["a midnight without a zone for a day", day, "2027-01-31T00:00", "2027-01-31"],
    ["a date among choices", { anyOf: [{ enum: ["now"] }, moment] }, "2027-01-31", "2027-01-31T00:00:00Z"],
    ["a number for a bigint or nothing", { type: ["string", "null"], pattern: BIGINT_PATTERN }, 5, "5"],
  ])("is taken: %s", (_, schema, sent, expected) => {
    expect(coerce(schema, sent)).toEqual(expected);
  });

  test("is taken: null for a member that may be left out", () => {
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

describe("what may mean something else", () => {
  test.each<[string, JsonSchema, JsonValue]>([
    ["a number for a string", text, 5],
    ["a number for a string of digits", { type: "string", pattern: "^\\d+$" }, 5],
    ["a number that has lost digits", bigint, 9007199254740992],
    ["a fraction for a bigint", bigint, 1.5],
    ["a date that does not exist", moment, "2027-02-30"],
    ["a date whose order is unclear", moment, "01/02/2027"],
    ["a date in words", moment, "31 January 2027"],
    ["seconds of an unknown unit", moment, 1801353600],
    ["a time for a moment", moment, "09:30"],
    ["a moment with half of a zone", moment, "2027-01-31T09:30+2"],
    ["a moment that is no midnight for a day", day, "2027-01-31T09:30:00Z"],
    ["a midnight elsewhere for a day", day, "2027-01-31T00:00:00+02:00"],
    ["a time without a zone, which is no moment", { type: "string", format: "time" }, "09:30"],
    ["a number for a boolean", { type: "boolean" }, 1],
    ["a choice in another case", { type: "string", enum: ["red"] }, "Red"],
    ["a number in text that is a choice itself", { enum: [1, "1", "auto"] }, "1"],
    ["a number in text that is no choice", { type: ["integer", "string"], enum: [1, "auto"] }, "2"],
    ["a number in text, where all text will do", { type: ["number", "string"] }, "1"],
    ["several items in one text", listOf(text), "Oslo, Bergen"],
    ["JSON that breaks off", listOf(text), '["Oslo"'],
    ["null for a list", listOf(text), null],
    ["null for an item", listOf(text), [null]],
    ["text that may be of two types", { anyOf: [number, listOf(text)] }, "5"],
    ["a single item for a tuple", { type: "array", prefixItems: [text] }, "Oslo"],
  ])("stays as it is: %s", (_, schema, sent) => {
    expect(coerce(schema, sent)).toBe(sent);
  });
});
