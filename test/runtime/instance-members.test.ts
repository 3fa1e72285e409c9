import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, it, test } from "vitest";
// Internal: which getters are read is a function of schema and value.
import { createDataWriter } from "../../packages/runtime/src/data/results/data-writer.js";
import { toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { createInstanceReader } from "../../packages/runtime/src/data/results/instance-members.js";

/** An amount with a getter that is declared and one that is not. */
class Amount {
  #asked = 0;
  constructor(readonly cents: number) {}
  get text(): string {
    return (this.cents / 100).toFixed(2);
  }
  get half(): Amount {
    return new Amount(this.cents / 2);
  }
  get at(): Date {
    return new Date(0);
  }
  get secret(): number {
    return ++this.#asked;
  }
  asked(): number {
    return this.#asked;
  }
}

const text: JsonSchema = { type: "string" };
const amount: JsonSchema = { type: "object", properties: { cents: { type: "number" }, text } };
const ten = { cents: 1000, text: "10.00" };

describe("the declared getters of an instance", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["those of the value itself", amount, new Amount(1000), ten],
    [
      "those of a getter's value",
      { type: "object", properties: { half: amount } },
      new Amount(2000),
      { cents: 2000, half: ten },
    ],
    ["in a list", { type: "array", items: amount }, [new Amount(1000)], [ten]],
    [
      "in a tuple",
      { type: "array", prefixItems: [text, amount], items: false as never },
      ["a", new Amount(1000)],
      ["a", ten],
    ],
    ["in a record", { type: "object", additionalProperties: amount }, { a: new Amount(1000) }, { a: ten }],
    ["in a set", { type: "array", items: amount }, new Set([new Amount(1000)]), new Set([ten])],
    [
      "in a map by name",
      { type: "object", additionalProperties: amount },
      new Map([["a", new Amount(1000)]]),
      new Map([["a", ten]]),
    ],
    [
      "in a map of pairs",
      { type: "array", items: { type: "array", prefixItems: [{ type: "number" }, amount] } },
      new Map([[1, new Amount(1000)]]),
      new Map([[1, ten]]),
    ],
    [
      "of an alternative",
      { anyOf: [{ type: "null" }, { $ref: "#/$defs/Amount" }], $defs: { Amount: amount } },
      new Amount(1000),
      ten,
    ],
    [
      "properties that are not enumerable",
      { type: "object", properties: { message: text } },
      new Error("no"),
      { message: "no" },
    ],
  ])("are read: %s", (_, schema, value, expected) => {
    expect(createInstanceReader(schema)(value)).toEqual(expected);
  });

  it("are the only ones that are read", () => {
    const value = new Amount(1);
    createInstanceReader(amount)(value);
    expect(value.asked()).toBe(0);
  });

  it("do not include methods", () => {
    const schema: JsonSchema = { type: "object", properties: { asked: {}, toString: {}, __proto__: {} } };
    expect(createInstanceReader(schema)(new Amount(1))).toEqual({ cents: 1 });
  });
});

describe("a value that is not an instance", () => {
  test.each<[string, unknown]>([
    ["an object", { cents: 1, at: new Date(0), list: [new Set([1])] }],
    ["a date", new Date(0)],
    ["bytes", new Uint8Array([1])],
    ["an object with toJSON", { toJSON: () => 1 }],
    ["nothing", undefined],
  ])("is sent unchanged: %s", (_, value) => {
    expect(createInstanceReader(amount)(value)).toBe(value);
  });
});

it("a getter's value is converted", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { cents: { type: "number" }, at: { type: "string", format: "date-time" } },
  };
  const write = createDataWriter(
    { conversion: { kind: "object", properties: { at: { kind: "date" } } } },
    schema,
    toJson,
  );
  expect(write(new Amount(5))).toEqual({ cents: 5, at: "1970-01-01T00:00:00.000Z" });
});

it("an instance that contains itself is still rejected", () => {
  const looped: { value: Amount; self?: unknown } = { value: new Amount(1) };
  looped.self = looped;
  const schema: JsonSchema = { type: "object", properties: { value: amount, self: { $ref: "#" } } };
  expect(() => createDataWriter({}, schema, toJson)(looped)).toThrow(/circular/);
});

describe("data that is nested too deeply is rejected with the limit", () => {
  const self: JsonSchema = { type: "object", properties: { next: { $ref: "#" } } };
  const nest = (levels: number): object => {
    let value: { next?: object } = {};
    for (let level = 1; level < levels; level++) value = { next: value };
    return value;
  };
  const message = "The result is nested more than 1000 levels deep, which is the limit.";

  it.each([
    ["objects", self, nest(1001)],
    ["objects that overflow the stack", self, nest(50_000)],
    ["an unknown value", undefined, nest(50_000)],
    ["a part of unknown type", { type: "object", properties: { any: {} } }, { any: nest(50_000) }],
  ])("if it consists of %s", (_, schema, value) => {
    const write = createDataWriter({}, schema as JsonSchema | undefined, toJson);
    expect(() => write(value)).toThrow(expect.objectContaining({ name: "ToolError", message }));
  });

  it("unless it has exactly as many levels as are allowed", () => {
    const value = nest(1000);
    expect(createDataWriter({}, self, toJson)(value)).toEqual(value);
  });
});
