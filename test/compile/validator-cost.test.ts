import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Validator } from "@tenon/runtime/server";
import { remembered } from "@tenon/runtime/validation";
import { describe, expect, test } from "vitest";
import { validatorCode } from "../../packages/compiler/src/emit/validator-code.js";

/** Alternatives that can all be meant by the same value, until its end shows that none fits. */
const MEMBERS = { left: "#/$defs/A", right: "#/$defs/B" };

function branch(mark: string, members: Record<string, string>): JsonSchema {
  const references = Object.entries(members).map(([name, $ref]) => [name, { $ref }]);
  const properties = { ...(Object.fromEntries(references) as object), [mark]: { type: "number" as const } };
  return { type: "object", properties, additionalProperties: false };
}

const alike = (members: Record<string, string>): JsonSchema[] => [branch("a", members), branch("b", members)];

function open($ref: string): JsonSchema {
  return { type: "object", properties: { left: { $ref }, right: { $ref }, a: { type: "number" } } };
}

const schemas: Record<string, JsonSchema> = {
  "a union of objects": {
    $ref: "#/$defs/A",
    $defs: { A: { anyOf: alike({ left: "#/$defs/A", right: "#/$defs/A" }) } },
  },
  "unions of each other": {
    $ref: "#/$defs/A",
    $defs: { A: { anyOf: alike(MEMBERS) }, B: { anyOf: alike(MEMBERS) } },
  },
  "exactly one of several": {
    $ref: "#/$defs/A",
    $defs: { A: { oneOf: alike({ left: "#/$defs/A", right: "#/$defs/A" }) } },
  },
  "all of several": {
    $ref: "#/$defs/A",
    $defs: { A: { allOf: [open("#/$defs/A"), open("#/$defs/A")] } },
  },
  "a schema that is its own definition": { anyOf: alike({ left: "#", right: "#" }) },
};

/** Nested so deep, with the last value wrong; says how often any member has been looked at. */
function deepValue(depth: number): { value: object; looks: () => number } {
  let looks = 0;
  let value: object = { a: "no number" };
  for (let level = 0; level < depth; level++) {
    const inner = value;
    value = Object.defineProperty({}, level % 3 === 0 ? "right" : "left", {
      enumerable: true,
      get: () => {
        looks++;
        return inner;
      },
    });
  }
  return { value, looks: () => looks };
}

function compiled(schema: JsonSchema | undefined): Validator {
  const { body, imports } = validatorCode(JSON.stringify(schema));
  const names = new Set([...imports, "remembered"]);
  expect([...names]).toEqual(["remembered"]);
  return new Function(...names, body)(remembered) as Validator;
}

describe("a validator takes time in proportion to the depth of a value", () => {
  test.each(Object.entries(schemas))("with %s", (_, schema) => {
    const { value, looks } = deepValue(200);
    expect(compiled(schema)(value)).toBe(false);
    expect(looks()).toBeGreaterThanOrEqual(200);
    expect(looks()).toBeLessThan(200 * 20);
  });

  test("and forgets what it has found out when it is done", () => {
    const validate = compiled(schemas["a union of objects"]);
    const value = { left: { left: { a: "no number" as unknown } } };
    expect(validate(value)).toBe(false);
    value.left.left.a = 1;
    expect(validate(value)).toBe(true);
  });
});
