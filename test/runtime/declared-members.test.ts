import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
// Internal: this function of schema and value is tested with more cases than a server has.
import { rejectUndeclared } from "../../packages/compiler/src/emit/validators/validator-modules.js";
import { omitUndeclared } from "../../packages/runtime/src/data/results/declared-members.js";
import { checkData, type OutputSchema } from "../../packages/runtime/src/data/results/output-check.js";
import { reconsiderData } from "../../packages/runtime/src/data/results/reconsider-data.js";
import { compiledValidator } from "../support/compiled-validator.js";

const user: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
};
const text: JsonSchema = { type: "string" };

describe("undeclared members are omitted from a result:", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["an object", user, { name: "a", hash: "x" }, { name: "a" }],
    ["objects in a list", { type: "array", items: user }, [{ name: "a", hash: "x" }], [{ name: "a" }]],
    [
      "objects in a record, which keeps all its own members",
      { type: "object", properties: {}, additionalProperties: user },
      { ada: { name: "a", hash: "x" }, hash: { name: "b" } },
      { ada: { name: "a" }, hash: { name: "b" } },
    ],
    [
      "an object whose declared names include a pattern",
      { type: "object", properties: { id: text }, patternProperties: { "^x-": user } },
      { id: "1", "x-a": { name: "a", hash: "x" }, y: 1 },
      { id: "1", "x-a": { name: "a" } },
    ],
    [
      "elements of a tuple",
      { type: "array", prefixItems: [text, user], items: user },
      ["a", { name: "a", hash: "x" }, { name: "b", hash: "y" }],
      ["a", { name: "a" }, { name: "b" }],
    ],
    [
      "alternatives of which none declares the member",
      { anyOf: [user, { type: "object", properties: { id: text } }, { type: ["string", "null"] }] },
      { name: "a", id: "1", hash: "x" },
      { name: "a", id: "1" },
    ],
    [
      "members that alternatives declare differently",
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
      "a recursive type",
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
      "members named like inherited ones",
      user,
      JSON.parse('{"name":"a","__proto__":{"x":1},"constructor":1,"toString":2}'),
      { name: "a" },
    ],
  ])("%s", (_, schema, json, kept) => {
    const before = structuredClone(json);
    expect(omitUndeclared(json, schema)).toEqual(kept);
    expect(json, "the value itself stays as it is").toEqual(before);
  });

  test("except a declared member named __proto__, which is data", () => {
    const schema: JsonSchema = { type: "object", properties: {}, additionalProperties: user };
    const kept = omitUndeclared(JSON.parse('{"__proto__":{"name":"a","hash":"x"}}'), schema);
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"name":"a"}}');
  });
});

describe("a union counts as the alternatives that a value fits:", () => {
  const constant = (kind: string): JsonSchema => ({ type: "string", enum: [kind] });
  const option = (kind: string, more: Record<string, JsonSchema>): JsonSchema => ({
    type: "object",
    properties: { kind: constant(kind), ...more },
    required: ["kind", ...Object.keys(more)],
  });
  const session: JsonSchema = { anyOf: [option("guest", { name: text }), option("member", { token: text })] };
  const guest = { kind: "guest", name: "a" };
  const leaking = { ...guest, token: "x" };

  test.each<[string, JsonSchema, unknown, unknown]>([
    ["a constant tells them apart", session, leaking, guest],
    ["items of a list", { type: "array", items: session }, [leaking, leaking], [guest, guest]],
    ["elements of a tuple", { type: "array", prefixItems: [session], items: false }, [leaking], [guest]],
    [
      "values of a record",
      { type: "object", properties: {}, additionalProperties: session },
      { a: leaking },
      { a: guest },
    ],
    ["next to null", { anyOf: [session, { type: "null" }] }, leaking, guest],
    [
      "a required member tells them apart",
      {
        anyOf: [
          { type: "object", properties: { name: text }, required: ["name"] },
          { type: "object", properties: { id: text, token: text }, required: ["id", "token"] },
        ],
      },
      { name: "a", token: "x" },
      { name: "a" },
    ],
    [
      "the types of members tell them apart",
      {
        anyOf: [
          { type: "object", properties: { at: text } },
          { type: "object", properties: { at: { type: "number" }, token: text } },
        ],
      },
      { at: "now", token: "x" },
      { at: "now" },
    ],
    [
      "a member of an alternative is a union itself",
      { anyOf: [option("one", { inner: session }), option("two", { token: text })] },
      { kind: "one", inner: leaking, token: "x" },
      { kind: "one", inner: guest },
    ],
    [
      "alternatives that refer to themselves",
      {
        $ref: "#/$defs/Node",
        $defs: {
          Node: {
            anyOf: [
              { ...option("leaf", { name: text }) },
              option("list", { token: text, nodes: { type: "array", items: { $ref: "#/$defs/Node" } } }),
            ],
          },
        },
      },
      { kind: "list", token: "t", nodes: [{ kind: "leaf", name: "a", token: "x" }] },
      { kind: "list", token: "t", nodes: [{ kind: "leaf", name: "a" }] },
    ],
    [
      "lists of different objects",
      {
        anyOf: [
          { type: "array", items: option("guest", { name: text }) },
          { type: "array", items: option("member", { token: text }) },
        ],
      },
      [leaking],
      [guest],
    ],
    ["an invalid value whose constant names one", session, { ...leaking, name: 1 }, { ...guest, name: 1 }],
    [
      "an alternative with any members, unless the value fits it",
      { anyOf: [option("guest", { name: text }), { ...option("open", {}), additionalProperties: true }] },
      leaking,
      guest,
    ],
  ])("%s", (_, schema, json, kept) => {
    expect(omitUndeclared(json, schema)).toEqual(kept);
  });
});

describe("all members are kept:", () => {
  const more = { name: "a", tags: ["b"], more: { deep: [1] } };

  test.each<[string, JsonSchema, unknown]>([
    ["an empty schema", {}, more],
    ["a type of any object", { type: "object", properties: {} }, more],
    ["an index signature", { ...user, additionalProperties: true }, more],
    [
      "alternatives of which one allows the member",
      { anyOf: [user, { type: "object", properties: {} }] },
      more,
    ],
    ["text", { type: "string" }, "a"],
    ["a list of text", { type: "array", items: { type: "string" } }, ["a", "b"]],
    ["a value with declared members only", user, { name: "a", tags: ["b"] }],
    ["a value that does not match", user, [more, 1, null]],
  ])("%s, as the same value", (_, schema, json) => {
    expect(omitUndeclared(json, schema)).toBe(json);
  });
});

describe("validation of results", () => {
  const either: JsonSchema = {
    anyOf: [user, { type: "object", properties: { id: text }, required: ["id"] }],
  };
  const toOutputSchema = (schema: JsonSchema): OutputSchema => ({
    schema,
    validators: { output: compiledValidator(rejectUndeclared(schema)), reconsiderData },
    openMembers: false,
  });
  const never = (): never => {
    throw new Error("rejected");
  };

  test.each<[string, JsonSchema, unknown, unknown]>([
    ["omits undeclared members", user, { name: "a", hash: "x" }, { name: "a" }],
    ["keeps members of several alternatives", either, { name: "a", id: "1" }, { name: "a", id: "1" }],
    [
      "omits and keeps members in one result",
      either,
      { name: "a", id: "1", hash: "x" },
      { name: "a", id: "1" },
    ],
  ])("%s, whether `outputValidation` enforces or logs", (_, schema, json, kept) => {
    expect(checkData(json, toOutputSchema(schema), never)).toEqual(kept);
    expect(checkData(json, toOutputSchema(schema), undefined)).toEqual(kept);
  });

  const query: JsonSchema = {
    anyOf: [
      { type: "object", properties: { page: { type: "number" } } },
      {
        type: "object",
        properties: { name: text, tags: { type: "array", items: text } },
        required: ["name"],
      },
    ],
  };

  test.each<[string, JsonSchema, unknown, string]>([
    ["an optional member", query, { page: "two" }, "`page` must be a number"],
    ["an alternative that requires members", query, { name: "a", tags: "b" }, "`tags` must be an array"],
    [
      "an alternative inside a list",
      { type: "array", items: query },
      [{ page: 1 }, { name: 1 }],
      "`[1].name` must be a string",
    ],
    [
      "an alternative next to names with a pattern",
      { anyOf: [{ type: "object", patternProperties: { "^x-": text } }, query.anyOf![1]!] },
      { name: 1 },
      "`name` must be a string",
    ],
    [
      "an alternative next to an empty object",
      { anyOf: [{ type: "object", properties: {}, additionalProperties: false }, query.anyOf![1]!] },
      { name: 1 },
      "`name` must be a string",
    ],
    [
      "an index signature",
      { anyOf: [query.anyOf![0]!, { type: "object", properties: {}, additionalProperties: text }] },
      { name: 1 },
      "`name` must be a string",
    ],
    [
      "a constant",
      {
        anyOf: [
          { type: "object", properties: { page: { type: "number" } } },
          { type: "object", properties: { sort: { type: "string", enum: ["name"] } }, required: ["sort"] },
        ],
      },
      { sort: "size" },
      "must be an object or an object with",
    ],
  ])("rejects a wrong value of %s instead of removing it", (_, schema, json, message) => {
    const messages: string[] = [];
    const sent = checkData(json, toOutputSchema(schema), ({ message: each }) => void messages.push(each));
    expect(messages).toEqual([expect.stringContaining(message)]);
    expect(sent).toEqual(json);
  });

  test.each<[string, unknown, unknown]>([
    ["has none", {}, {}],
    ["has others too", { page: 1, hash: "x" }, { page: 1 }],
    ["has only undeclared ones", { hash: "x" }, {}],
    ["fits another alternative", { name: "a", page: "two" }, { name: "a" }],
  ])("accepts an object for a type without required members if it %s", (_, json, kept) => {
    expect(checkData(json, toOutputSchema(query), never)).toEqual(kept);
  });

  test("keeps a member whose own members are all undeclared", () => {
    const nested: JsonSchema = {
      anyOf: [
        { type: "object", properties: { id: text, kind: text }, required: ["kind"] },
        { type: "object", properties: { kind: text, of: query }, required: ["kind", "of"] },
      ],
    };
    const json = { kind: "a", hash: "x", of: { hash: "x" } };
    expect(checkData(json, toOutputSchema(nested), never)).toEqual({ kind: "a", of: {} });
  });

  test("rejects invalid data, or logs it and omits undeclared members", () => {
    const json = { name: 1, hash: "x" };
    expect(() => checkData(json, toOutputSchema(user), never)).toThrow("rejected");
    const messages: string[] = [];
    expect(checkData(json, toOutputSchema(user), ({ message }) => void messages.push(message))).toEqual({
      name: 1,
    });
    expect(messages).toEqual([expect.stringContaining("`name`")]);
  });
});
