import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
import { declaredOnly } from "../../packages/compiler/src/emit/validators/validators-module.js";
import { keepDeclared } from "../../packages/runtime/src/results/declared-members.js";
import { checkedData, type OutputSchema } from "../../packages/runtime/src/results/output-check.js";
import { compiledValidator } from "../support/compiled-validator.js";

const user: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
};
const text: JsonSchema = { type: "string" };

describe("members that are not declared are left out", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["of an object", user, { name: "a", hash: "x" }, { name: "a" }],
    ["of objects in a list", { type: "array", items: user }, [{ name: "a", hash: "x" }], [{ name: "a" }]],
    [
      "of objects in a record, whose own members are all kept",
      { type: "object", properties: {}, additionalProperties: user },
      { ada: { name: "a", hash: "x" }, hash: { name: "b" } },
      { ada: { name: "a" }, hash: { name: "b" } },
    ],
    [
      "but for those whose names match a pattern",
      { type: "object", properties: { id: text }, patternProperties: { "^x-": user } },
      { id: "1", "x-a": { name: "a", hash: "x" }, y: 1 },
      { id: "1", "x-a": { name: "a" } },
    ],
    [
      "of the elements of a tuple",
      { type: "array", prefixItems: [text, user], items: user },
      ["a", { name: "a", hash: "x" }, { name: "b", hash: "y" }],
      ["a", { name: "a" }, { name: "b" }],
    ],
    [
      "of alternatives, where none of them declares it",
      { anyOf: [user, { type: "object", properties: { id: text } }, { type: ["string", "null"] }] },
      { name: "a", id: "1", hash: "x" },
      { name: "a", id: "1" },
    ],
    [
      "of members that alternatives declare differently",
      {
        anyOf: [
          { type: "object", properties: { of: user } },
          { type: "object", properties: { of: { type: "object", properties: { id: text } } } },
        ],
      },
      { of: { name: "a", id: "1", hash: "x" } },
      { of: { name: "a", id: "1" } },
    ],
    [
      "of a type that refers to itself",
      {
        $ref: "#/$defs/Node",
        $defs: {
          Node: {
            type: "object",
            properties: {
              id: text,
              kids: { type: "array", items: { anyOf: [{ $ref: "#/$defs/Node" }, user] } },
            },
          },
        },
      },
      { id: "1", kids: [{ id: "2", hash: "x", kids: [{ name: "a", hash: "y" }] }] },
      { id: "1", kids: [{ id: "2", kids: [{ name: "a" }] }] },
    ],
    [
      "called as what objects inherit",
      user,
      JSON.parse('{"name":"a","__proto__":{"x":1},"constructor":1,"toString":2}'),
      { name: "a" },
    ],
  ])("%s", (_, schema, json, kept) => {
    const before = structuredClone(json);
    expect(keepDeclared(schema)(json)).toEqual(kept);
    expect(json, "the value itself stays as it is").toEqual(before);
  });

  test("and a member called __proto__ is data where it is declared", () => {
    const schema: JsonSchema = { type: "object", properties: {}, additionalProperties: user };
    const kept = keepDeclared(schema)(JSON.parse('{"__proto__":{"name":"a","hash":"x"}}'));
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"name":"a"}}');
  });
});

describe("everything is kept", () => {
  const more = { name: "a", tags: ["b"], more: { deep: [1] } };

  test.each<[string, JsonSchema, unknown]>([
    ["where nothing is said", {}, more],
    ["of any object", { type: "object", properties: {} }, more],
    ["beside an index signature", { ...user, additionalProperties: true }, more],
    ["where one alternative allows it", { anyOf: [user, { type: "object", properties: {} }] }, more],
    ["of text", { type: "string" }, "a"],
    ["of a list of text", { type: "array", items: { type: "string" } }, ["a", "b"]],
    ["that is declared", user, { name: "a", tags: ["b"] }],
    ["of what does not fit at all", user, [more, 1, null]],
  ])("%s, as the same value", (_, schema, json) => {
    expect(keepDeclared(schema)(json)).toBe(json);
  });
});

describe("with the validator of a result", () => {
  const either: JsonSchema = {
    anyOf: [user, { type: "object", properties: { id: text }, required: ["id"] }],
  };
  const held = (schema: JsonSchema): OutputSchema => ({
    schema,
    validate: compiledValidator(declaredOnly(schema)),
    keep: keepDeclared(schema),
  });
  const never = (): never => {
    throw new Error("refused");
  };

  test.each<[string, JsonSchema, unknown, unknown]>([
    ["what is not declared is left out", user, { name: "a", hash: "x" }, { name: "a" }],
    ["members of several alternatives are kept", either, { name: "a", id: "1" }, { name: "a", id: "1" }],
    ["both", either, { name: "a", id: "1", hash: "x" }, { name: "a", id: "1" }],
  ])("%s, whether results are checked or not", (_, schema, json, kept) => {
    expect(checkedData(json, held(schema), never)).toEqual(kept);
    expect(checkedData(json, held(schema), undefined)).toEqual(kept);
  });

  test("what does not fit is refused, or only told of and left out of what is sent", () => {
    const json = { name: 1, hash: "x" };
    expect(() => checkedData(json, held(user), never)).toThrow("refused");
    const told: string[] = [];
    expect(checkedData(json, held(user), ({ message }) => void told.push(message))).toEqual({ name: 1 });
    expect(told).toEqual([expect.stringContaining("`name`")]);
  });
});
