import type { JsonSchema } from "@tenon/runtime/manifest";
import { expect, it } from "vitest";
// Internal: any schema as a type, without a tool for each.
import { formatOutline, formatType } from "../../packages/cli/src/inspect/type-text.js";

const text: JsonSchema = { type: "string" };

it.each<[string, JsonSchema | boolean | undefined]>([
  ["any", undefined],
  ["any", {}],
  ["never", false],
  ["string", text],
  ["string 1…20 long", { type: "string", minLength: 1, maxLength: 20 }],
  ["string (date-time)", { type: "string", format: "date-time" }],
  ["integer 1…14", { type: "integer", minimum: 1, maximum: 14 }],
  ["number > 0", { type: "number", exclusiveMinimum: 0 }],
  ['"a" | "b"', { enum: ["a", "b"] }],
  ['("a" | "b")[]', { type: "array", items: { enum: ["a", "b"] } }],
  ["string[]", { type: "array", items: text }],
  ["[string, number]", { type: "array", prefixItems: [text, { type: "number" }], minItems: 2, items: false }],
  [
    "[string, number?]",
    { type: "array", prefixItems: [text, { type: "number" }], minItems: 1, items: false },
  ],
  [
    "[string, …(string | number)[]]",
    { type: "array", prefixItems: [text], minItems: 1, items: { type: ["string", "number"] } },
  ],
  [
    "({ a?: string } | { b?: string } | null)[]",
    {
      type: "array",
      items: {
        anyOf: [
          { type: "object", properties: { a: text } },
          { type: "object", properties: { b: text } },
          { type: "null" },
        ],
      },
    },
  ],
  ["{ a?: string }[]", { type: "array", items: { type: "object", properties: { a: text } } }],
  ["string[][]", { type: "array", items: { type: "array", items: text } }],
  ["(integer ≥ 1)[]", { type: "array", items: { type: "integer", minimum: 1 } }],
  ['"a b"[]', { type: "array", items: { const: "a b" } }],
  ["(string | number) & (1 | 2)", { allOf: [{ type: ["string", "number"] }, { enum: [1, 2] }] }],
  ["string /^a/", { type: "string", pattern: "^a" }],
  [`string /${"a".repeat(39)}…/`, { type: "string", pattern: "a".repeat(60) }],
  ["string | null", { type: ["string", "null"] }],
  ["string (date-time) | null", { type: ["string", "null"], format: "date-time" }],
  ["string 1… long | number ≥ 0", { type: ["string", "number"], minLength: 1, minimum: 0 }],
  ["string | number", { anyOf: [text, { type: "number" }] }],
  ["{ a: string, b?: string }", { type: "object", properties: { a: text, b: text }, required: ["a"] }],
  ["{ [key]: string }", { type: "object", additionalProperties: text }],
  ["object", { type: "object" }],
  ["Node", { $ref: "#/$defs/Node" }],
])("a type is printed: %s", (expected, schema) => {
  expect(formatType(schema)).toBe(expected);
});

/** Creates an object with its own members at each of several levels. */
function nested(members: number, levels: number): JsonSchema {
  const inside = levels === 1 ? text : nested(members, levels - 1);
  const properties = Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, inside]));
  return { type: "object", properties };
}

it("a large type is truncated to a few levels and members", () => {
  const small = nested(2, 3);
  expect(formatOutline(small)).toBe(formatType(small));
  expect(formatOutline(nested(4, 4))).toBe(formatType(nested(4, 4), 2));
  expect(formatOutline(nested(20, 3))).toBe(formatType(nested(20, 3), 1));
  expect(formatOutline(nested(200, 2))).toMatch(/^\{ m0\?: \{ … \}, .*, m19\?: \{ … \}, … 180 more \}$/);
  expect(formatOutline({ type: "array", items: nested(200, 1) })).toMatch(/, … 180 more \}\[\]$/);
  for (const members of [5, 50]) {
    for (const levels of [1, 2, 3]) expect(formatOutline(nested(members, levels)).length).toBeLessThan(1000);
  }
});
