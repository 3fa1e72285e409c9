import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
import { compiledValidator } from "../support/compiled-validator.js";
// Internal: how long the search for problems takes, without the rest of a call.
import { describeIssues } from "../../packages/runtime/src/data/explanations/issues.js";

/** The members of alternatives that all fit a value except for its last part. */
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
  "all of one, next to members": {
    $ref: "#/$defs/A",
    $defs: { A: { ...open("#/$defs/A"), allOf: [open("#/$defs/A")] } },
  },
  "members that a pattern names too": {
    $ref: "#/$defs/A",
    $defs: { A: { ...open("#/$defs/A"), patternProperties: { "^(left|right)$": { $ref: "#/$defs/A" } } } },
  },
  "a definition next to members": {
    $ref: "#/$defs/A",
    $defs: { A: { ...open("#/$defs/A"), $ref: "#/$defs/B" }, B: open("#/$defs/A") },
  },
  "a schema that is its own definition": { anyOf: alike({ left: "#", right: "#" }) },
};

/** Schemas with keywords that no type creates. */
const withRarerKeywords: Record<string, JsonSchema> = {
  ...Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, not: { required: ["none"] } }]),
  ),
  "alternatives with unevaluatedProperties": {
    $ref: "#/$defs/A",
    $defs: {
      A: {
        type: "object",
        anyOf: [open("#/$defs/A"), { ...open("#/$defs/A"), required: ["none"] }],
        unevaluatedProperties: false,
      },
    },
  },
  conditions: {
    $ref: "#/$defs/A",
    $defs: { A: Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, open("#/$defs/A")])) },
  },
  dependentSchemas: {
    $ref: "#/$defs/A",
    $defs: { A: { ...open("#/$defs/A"), dependentSchemas: { left: open("#/$defs/A") } } },
  },
  anchors: {
    $ref: "#a",
    $defs: { A: { $anchor: "a", ...open("#a"), allOf: [open("#a")] } },
  },
  "dynamic anchors": {
    $dynamicRef: "#a",
    $defs: {
      A: {
        $dynamicAnchor: "a",
        allOf: ["left", "right", "left", "right"].map((name) => ({
          properties: { [name]: { $dynamicRef: "#a" }, a: { type: "number" } },
        })),
      },
    },
  },
};

/** Creates a value of this depth whose innermost value is wrong, and counts how often members are read. */
function deepValue(
  depth: number,
  innermost: object = { a: "no number" },
): { value: object; looks: () => number } {
  let looks = 0;
  let value: object = innermost;
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

describe("validation is linear in the depth of a value", () => {
  test.each(Object.entries(schemas))("with %s", (_, schema) => {
    const { value, looks } = deepValue(200);
    expect(compiledValidator(schema)(value)).toBe(false);
    expect(looks()).toBeGreaterThanOrEqual(200);
    expect(looks()).toBeLessThan(200 * 20);
  });

  test.each(Object.entries(schemas))("for valid values, with %s", (name, schema) => {
    const { value, looks } = deepValue(200, {});
    expect(compiledValidator(schema)(value)).toBe(name !== "exactly one of several");
    expect(looks()).toBeLessThan(200 * 20);
  });

  test("without a cache that outlives it", () => {
    const validate = compiledValidator(schemas["a union of objects"] ?? {});
    const value = { left: { left: { a: "no number" as unknown } } };
    expect(validate(value)).toBe(false);
    value.left.left.a = 1;
    expect(validate(value)).toBe(true);
  });
});

describe("explaining a problem is linear in the depth of a value", () => {
  test.each(Object.entries(withRarerKeywords))("with %s", (_, schema) => {
    const { value, looks } = deepValue(200);
    expect(compiledValidator(schema)(value)).toBe(false);
    expect(looks()).toBeLessThan(200 * 40);
  });

  test.each(Object.entries(withRarerKeywords))("when reported, with %s", (_, schema) => {
    const { value, looks } = deepValue(100);
    const issues = describeIssues(schema, value, "argument");
    expect(issues.length).toBeGreaterThan(0);
    expect(issues).not.toContain("the arguments must fit the schema");
    // To show a value, each of its parts is read once for each problem.
    expect(looks()).toBeLessThan(100 * 100 * 40);
  });

  test("without reporting valid parts next to an invalid one", () => {
    const $defs = withRarerKeywords["all of several"]?.$defs ?? {};
    const schema: JsonSchema = {
      type: "object",
      properties: { deep: { $ref: "#/$defs/A" }, flat: { type: "number" } },
      $defs,
    };
    const { value, looks } = deepValue(200, {});
    const data = { deep: value, flat: "no number" };
    expect(compiledValidator(schema)(data)).toBe(false);
    expect(describeIssues(schema, data, "argument")).toEqual(['`flat` must be a number (got "no number")']);
    expect(looks()).toBeLessThan(200 * 40);
  });

  test("without omitting the definition of a value", () => {
    const node: JsonSchema = {
      type: "object",
      properties: { a: { type: "number" }, next: { $ref: "#/$defs/Node" } },
      not: { required: ["none"] },
    };
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "object" }, node: { $ref: "#/$defs/Node" } },
      $defs: { Node: node },
    };
    expect(problems(schema, { a: {}, node: { a: "x", next: { none: 1 } } })).toEqual([
      '`node.a` must be a number (got "x")',
      '`node.next` must not match the schema in `not` (got {"none":1})',
    ]);
  });

  test("without omitting the probable alternative at a level", () => {
    const kind = (name: string, more: Record<string, JsonSchema>): JsonSchema => ({
      type: "object",
      properties: { kind: { enum: [name] }, next: { $ref: "#/$defs/Any" }, ...more },
      required: ["kind"],
      not: { required: ["none"] },
    });
    const schema: JsonSchema = {
      type: "object",
      properties: { value: { $ref: "#/$defs/Any" } },
      $defs: {
        Any: { anyOf: [{ $ref: "#/$defs/X" }, { $ref: "#/$defs/Y" }] },
        X: kind("x", { size: { type: "number" } }),
        Y: kind("y", { name: { type: "string" } }),
      },
    };
    expect(problems(schema, { value: { kind: "x", size: "large" } })).toEqual([
      '`value.size` must be a number (got "large")',
    ]);
    expect(problems(schema, { value: { kind: "x", next: { kind: "y", name: 1 } } })).toEqual([
      "`value.next.name` must be a string (got 1)",
    ]);
    expect(problems(schema, { value: { kind: "x", size: "large", next: { kind: "y", none: 1 } } })).toEqual([
      '`value.next` must not match the schema in `not` (got {"kind":"y","none":1})',
      '`value.size` must be a number (got "large")',
    ]);
    expect(problems(schema, { value: { kind: "x", next: { kind: "y", none: 1 } } })).toEqual([
      '`value.next` must not match the schema in `not` (got {"kind":"y","none":1})',
    ]);
  });

  test("without confusing the results for shared parts", () => {
    const { "alternatives with unevaluatedProperties": schema } = withRarerKeywords;
    const validate = compiledValidator(schema ?? {});
    expect(validate({ left: { left: { a: 1 }, right: {} }, a: 1 })).toBe(true);
    expect(validate({ left: { left: { b: 1 } } })).toBe(false);
  });
});

function problems(schema: JsonSchema, value: unknown): string[] {
  expect(compiledValidator(schema)(value)).toBe(false);
  return describeIssues(schema, value, "argument");
}

test("explaining a problem in a long list visits each item a constant number of times", () => {
  const items: JsonSchema = { anyOf: [{ type: "string" }, { type: "object", not: { required: ["none"] } }] };
  const schema: JsonSchema = { type: "object", properties: { list: { type: "array", items } } };
  let looks = 0;
  const list = Array.from({ length: 1200 }, () => 0);
  const counted = new Proxy(list, {
    get: (target, name) => {
      looks++;
      return Reflect.get(target, name) as unknown;
    },
  });
  expect(compiledValidator(schema)({ list: counted })).toBe(false);
  expect(describeIssues(schema, { list: counted }, "argument")).toHaveLength(21);
  expect(looks).toBeLessThan(1200 * 20);
});
