import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, it, test } from "vitest";
import { dataWriter } from "../../packages/runtime/src/results/data-writer.js";
import { toJson } from "../../packages/runtime/src/values/conversion.js";
import { readInstances } from "../../packages/runtime/src/results/instance-members.js";

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

describe("the declared getters of an instance are read", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["of the value itself", amount, new Amount(1000), ten],
    [
      "of what a getter gives",
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
      "as is what is not enumerable",
      { type: "object", properties: { message: text } },
      new Error("no"),
      { message: "no" },
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(readInstances(schema)(value)).toEqual(expected);
  });

  it("and no others", () => {
    const value = new Amount(1);
    readInstances(amount)(value);
    expect(value.asked()).toBe(0);
  });

  it("and methods are none", () => {
    const schema: JsonSchema = { type: "object", properties: { asked: {}, toString: {}, __proto__: {} } };
    expect(readInstances(schema)(new Amount(1))).toEqual({ cents: 1 });
  });
});

describe("what is no instance stays what it is", () => {
  test.each<[string, unknown]>([
    ["an object", { cents: 1, at: new Date(0), list: [new Set([1])] }],
    ["a date", new Date(0)],
    ["bytes", new Uint8Array([1])],
    ["what says itself what it is", { toJSON: () => 1 }],
    ["nothing", undefined],
  ])("%s", (_, value) => {
    expect(readInstances(amount)(value)).toBe(value);
  });
});

it("converts what a getter gives", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { cents: { type: "number" }, at: { type: "string", format: "date-time" } },
  };
  const write = dataWriter(
    { conversion: { kind: "object", properties: { at: { kind: "date" } } } },
    schema,
    toJson,
  );
  expect(write(new Amount(5))).toEqual({ cents: 5, at: "1970-01-01T00:00:00.000Z" });
});

it("still refuses what is inside of itself", () => {
  const looped: { value: Amount; self?: unknown } = { value: new Amount(1) };
  looped.self = looped;
  const schema: JsonSchema = { type: "object", properties: { value: amount, self: { $ref: "#" } } };
  expect(() => dataWriter({}, schema, toJson)(looped)).toThrow(/circular/);
});
