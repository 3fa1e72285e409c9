import type { JsonSchema } from "@tenon/runtime/manifest";
import { expect, it } from "vitest";
import { typeText } from "../../packages/cli/src/inspect/type-text.js";

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
])("%s", (expected, schema) => {
  expect(typeText(schema)).toBe(expected);
});
