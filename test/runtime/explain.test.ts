import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { listValueProblems } from "@tenon/runtime/value-problems";
import { describe, expect, test } from "vitest";
// Internal: these sentences are a table over schemas; a server for each row would hide it.
import { describeIssues } from "../../packages/runtime/src/data/explanations/issues.js";
import { type Arguments, ArgumentsError } from "../../packages/runtime/src/data/conversion/arguments.js";
import { reconsiderArguments } from "../../packages/runtime/src/data/conversion/reconsider-arguments.js";
import { coerce } from "../../packages/runtime/src/data/conversion/coercion.js";

function issues(schema: JsonSchema, value: unknown): string[] {
  return describeIssues(schema, value, "argument");
}

function read(schema: JsonSchema, value: unknown): unknown {
  return coerce(schema, value);
}

/** Creates a schema with one argument of a named type. */
function toArgument(name: string, $defs: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties: { value: { $ref: `#/$defs/${name}` } }, required: ["value"], $defs };
}

test("a message names the number of items of arrays with a fixed length", () => {
  const list = (length: number): JsonSchema => ({
    type: "array",
    items: { type: "string" },
    minItems: length,
    maxItems: length,
  });
  const schema: JsonSchema = { type: "object", properties: { a: { anyOf: [list(2), list(4)] } } };
  expect(issues(schema, { a: ["1", "2", "3"] })).toEqual([
    '`a` must be an array of 2 items (each a string) or an array of 4 items (each a string) (got ["1","2","3"])',
  ]);
});

test.each<[string, JsonSchema, JsonValue, string]>([
  ["choices of one type", { type: "integer", enum: [1, 2] }, { a: "x" }, '`a` must be one of 1, 2 (got "x")'],
  ["a constant", { type: "string", const: "x" }, { a: 5 }, '`a` must be "x" (got 5)'],
])("a problem is named once: %s", (_, a, value, expected) => {
  expect(issues({ type: "object", properties: { a } }, value)).toEqual([expected]);
});

test.each([
  ["a.b", '`a["a.b"]`'],
  ["x\n- `b", '`a["x\\n- `b"]`'],
  ["", '`a[""]`'],
  ["two words", '`a["two words"]`'],
  ["5", "`a[5]`"],
  ["größe-1", "`a.größe-1`"],
])("a path shows where each name ends: %j", (name, path) => {
  const schema: JsonSchema = {
    type: "object",
    properties: { a: { type: "object", additionalProperties: { type: "number" } } },
  };
  expect(issues(schema, { a: { [name]: "x" } })).toEqual([`${path} must be a number (got "x")`]);
});

test("the number is named next to the choices, since text may be a number", () => {
  const alternatives: JsonSchema[] = [{ type: "integer" }, { type: "string", enum: ["auto", "off"] }];
  const schema: JsonSchema = { type: "object", properties: { a: { anyOf: alternatives } } };
  expect(issues(schema, { a: "of" })).toEqual([
    '`a` must be an integer or one of "auto", "off"; did you mean "off"? (got "of")',
  ]);
});

describe("alternatives that differ only by their members", () => {
  const number: JsonSchema = { type: "number" };
  const text: JsonSchema = { type: "string" };
  const object = (
    properties: Record<string, JsonSchema>,
    required = Object.keys(properties),
  ): JsonSchema => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  const place: JsonSchema = {
    type: "object",
    properties: {
      place: { anyOf: [object({ city: text, zip: text }), object({ lat: number, lon: number })] },
    },
  };
  const tree = toArgument("Tree", {
    Tree: {
      anyOf: [
        object({ next: { $ref: "#/$defs/Tree" }, a: number }, []),
        object({ next: { $ref: "#/$defs/Tree" }, b: text }, []),
      ],
    },
  });

  test.each<[string, JsonValue, string]>([
    ["has a member of another type", { city: 5, zip: "8000" }, "`place.city` must be a string (got 5)"],
    ["lacks a member", { lat: 1 }, "missing `place.lon` (a number)"],
    ["has an extra member", { lat: 1, lon: 2, alt: 3 }, "unknown member `place.alt`; did you mean `lat`?"],
    [
      "fits neither better",
      {},
      "`place` must be an object with `city`, `zip` or an object with `lat`, `lon` (got {})",
    ],
    [
      "has members of both",
      { city: "Bern", lat: 1 },
      "`place` must be an object with `city`, `zip` or an object with `lat`, `lon` " +
        '(got {"city":"Bern","lat":1})',
    ],
    [
      "has all members of both",
      { city: "Bern", zip: "3000", lat: 1, lon: 2 },
      "`place` must be an object with `city`, `zip` or an object with `lat`, `lon`, with members of only one of " +
        'them (got {"city":"Bern","zip":"3000","lat":1,"lon":2})',
    ],
  ])("are explained by the nearest: a value that %s", (_, value, expected) => {
    expect(issues(place, { place: value })).toEqual([expected]);
  });

  test.each<[string, object]>([
    ["members of both at every level", { a: 1, b: "x" }],
    ["no member of either", {}],
  ])("take linear time if they refer to themselves: a value of 60 levels with %s", (_, members) => {
    const required = toArgument("Chain", {
      Chain: {
        anyOf: [
          object({ next: { $ref: "#/$defs/Chain" }, a: number }, ["a"]),
          object({ next: { $ref: "#/$defs/Chain" }, b: text }, ["b"]),
        ],
      },
    });
    let value: object = { ...members };
    for (let level = 1; level < 60; level++) value = { next: value, ...members };
    // If each level doubled the work, this would never end.
    expect(issues(required, { value })).toHaveLength(1);
  });

  test("are explained by a member that all declare, if its value is wrong in each of them", () => {
    const either = { anyOf: [object({ value: text }), object({ value: number, unit: text }, ["value"])] };
    expect(issues({ type: "object", properties: { either } }, { either: { value: true } })).toEqual([
      "`either.value` must be a string or a number (got true)",
    ]);
    const [texts, numbers] = [text, number].map((each) => ({ type: "object", additionalProperties: each }));
    const records = { anyOf: [texts, numbers] } as JsonSchema;
    expect(issues({ type: "object", properties: { records } }, { records: { a: true } })).toEqual([
      "`records.a` must be a string or a number (got true)",
    ]);
    const next = { $ref: "#/$defs/Link" };
    const links = toArgument("Link", {
      Link: { anyOf: [object({ value: text, next }, ["value"]), object({ value: number, next }, ["value"])] },
    });
    let value: object = { value: true };
    for (let level = 1; level < 60; level++) value = { value: null, next: value };
    // If each level doubled the work, this would never end.
    expect(issues(links, { value })).toContain("`value.next.value` must be a string or a number (got null)");
  });

  const one = (value: string): JsonSchema => ({ type: "string", const: value });
  const column: JsonSchema = { type: "string", enum: ["units", "price"] };
  const filter = toArgument("Filter", {
    Filter: {
      anyOf: [
        object({ op: one("eq"), column, value: number }),
        object({ op: one("between"), column: { ...column, enum: ["price"] }, from: number, to: number }),
        object({ op: one("not"), filter: { $ref: "#/$defs/Filter" } }),
      ],
    },
  });

  test.each<[string, JsonValue, string]>([
    ["has an unknown choice", { op: "eq", column: "unit", value: 1 }, "`value.column` must be one of"],
    [
      "has another alternative's choice",
      { op: "between", column: "units", from: 1, to: 2 },
      '`value.column` must be "price"',
    ],
    [
      "has a nested mistake",
      { op: "not", filter: { op: "eq", column: "x", value: 1 } },
      "`value.filter.column` must",
    ],
    [
      "selects no alternative",
      { op: "like", column: "x", value: 1 },
      '`value.op` must be one of "eq", "between", "not"',
    ],
  ])("are explained by the one that a constant selects: a value that %s", (_, value, expected) => {
    expect(issues(filter, { value })).toEqual([expect.stringContaining(expected)]);
  });

  test("are described by their constants", () => {
    expect(issues(filter, {})).toEqual([
      'missing argument `value` (an object with op: "eq" or an object with op: "between", column: "price" or an object with op: "not")',
    ]);
  });

  test("are described by their members if their constants are the same", () => {
    const kind: JsonSchema = { enum: ["x"] };
    const both: JsonSchema = {
      type: "object",
      properties: { place: { anyOf: [object({ kind, city: text }), object({ kind, lat: number })] } },
      required: ["place"],
    };
    expect(issues(both, {})).toEqual([
      "missing argument `place` (an object with `kind`, `city` or an object with `kind`, `lat`)",
    ]);
  });

  test("are not distinguished by a value that they share", () => {
    const both: JsonSchema = {
      type: "object",
      properties: { place: { anyOf: [object({ column, city: text }), object({ column, lat: number })] } },
    };
    expect(issues(both, { place: { column: "unit", lat: 1 } })).toEqual([
      '`place.column` must be one of "units", "price"; did you mean "units"? (got "unit")',
    ]);
  });

  test("are explained by the innermost problem", () => {
    expect(issues(tree, { value: { next: { next: { b: 1 } } } })).toEqual([
      "`value.next.next.b` must be a string (got 1)",
    ]);
  });
});

test("tuples are described element by element", () => {
  const number: JsonSchema = { type: "number" };
  const text: JsonSchema = { type: "string" };
  const explainMissing = (value: JsonSchema): string[] =>
    issues({ type: "object", properties: { value }, required: ["value"] }, {});
  expect(explainMissing({ type: "array", prefixItems: [number, text], items: false })).toEqual([
    "missing argument `value` (an array (a number, a string))",
  ]);
  expect(explainMissing({ type: "array", prefixItems: [number], items: text })).toEqual([
    "missing argument `value` (an array (a number, then each a string))",
  ]);
  expect(
    explainMissing({ type: "array", prefixItems: Array.from({ length: 9 }, () => number), items: text }),
  ).toEqual([`missing argument \`value\` (an array (${"a number, ".repeat(8)}…))`]);
});

describe("recursive types", () => {
  const nested = toArgument("Nested", {
    Nested: { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/Nested" } }] },
  });
  const term = { $ref: "#/$defs/Term" };
  const operation = (kind: string): JsonSchema => ({
    type: "object",
    properties: { left: term, right: term, kind: { type: "string", enum: [kind] } },
    required: ["kind"],
    additionalProperties: false,
  });
  const terms = toArgument("Term", {
    Term: { anyOf: [operation("add"), operation("subtract"), operation("negate")] },
  });

  /** Creates nested operations, with the mistake innermost. */
  function deep(depth: number, innermost: JsonValue): JsonValue {
    let value = innermost;
    for (let level = 0; level < depth; level++) value = { left: value, right: { kind: "add" }, kind: "add" };
    return value;
  }

  test("are described to a limited depth", () => {
    expect(issues(nested, {})).toEqual([
      "missing argument `value` (a string or an array (each a string or an array))",
    ]);
  });

  // Otherwise each level would be searched once for each alternative of each level around it, exponentially with the
  // depth.
  test("are searched once, however deeply a value is nested", () => {
    const place = Array.from({ length: 200 }, () => "left").join(".");
    expect(issues(terms, { value: deep(200, { kind: "divide" }) })).toEqual([
      `\`value.${place}.kind\` must be one of "add", "subtract", "negate" (got "divide")`,
    ]);
  });

  // At every level, both alternatives are equally near.
  test("are searched once when nothing distinguishes the alternatives", () => {
    const object = (name: string): JsonSchema => ({
      type: "object",
      properties: { next: { $ref: "#/$defs/Chain" }, [name]: { type: "string" } },
      additionalProperties: false,
    });
    const chain = toArgument("Chain", { Chain: { anyOf: [object("a"), object("b")] } });
    let value: JsonValue = 5;
    for (let level = 0; level < 100; level++) value = { next: value };
    const place = Array.from({ length: 100 }, () => "next").join(".");
    expect(issues(chain, { value })).toEqual([`\`value.${place}\` must be an object (got 5)`]);
  });

  test("are read once, however deep a value nests", () => {
    const sent = deep(60, '{"kind":"negate"}');
    expect(read(terms, { value: sent })).toEqual({ value: deep(60, { kind: "negate" }) });
    const wrong = { value: deep(200, { kind: "divide" }) };
    expect(read(terms, wrong)).toBe(wrong);
  });

  test("are parsed once from JSON inside JSON", () => {
    let text = '{"kind":"divide"}';
    for (let level = 0; level < 12; level++) text = JSON.stringify({ left: text, kind: "add" });
    const wrong = { value: text };
    expect(read(terms, wrong)).toBe(wrong);
  });

  test("keep secrets hidden, however deep a value nests", () => {
    const secret = structuredClone(terms);
    Object.assign(secret.properties ?? {}, { key: { type: "string", writeOnly: true } });
    expect(issues(secret, { value: deep(200, { kind: "divide" }), key: 5 })).toEqual([
      expect.stringContaining('(got "divide")'),
      "`key` must be a string (got a secret value)",
    ]);
  });

  test.each<JsonSchema>([
    { type: "object", patternProperties: { "^x-": { type: "string", minLength: 9, writeOnly: true } } },
    { type: "object", additionalProperties: { type: "string", minLength: 9, writeOnly: true } },
  ])("keep secrets hidden in members with any name: %j", (schema) => {
    expect(issues(schema, { "x-key": "hunter2" })).toEqual([
      "`x-key` must have at least 9 characters (got a secret value)",
    ]);
  });

  test("are not wrapped in endless arrays", () => {
    const arrays = toArgument("Arrays", { Arrays: { type: "array", items: { $ref: "#/$defs/Arrays" } } });
    const sent = { value: 1 };
    expect(read(arrays, sent)).toBe(sent);
    const grid: JsonSchema = { type: "array", items: { type: "array", items: { type: "number" } } };
    expect(read(grid, "1")).toEqual([[1]]);
  });

  test("allow everything if they refer to nothing or to themselves", () => {
    for (const $ref of ["#/$defs/Gone", "#/$defs/Circle", "elsewhere"]) {
      const schema: JsonSchema = { $ref, $defs: { Circle: { $ref: "#/$defs/Circle" } } };
      expect(listValueProblems(schema, 1)).toEqual([]);
      expect(read(schema, "1")).toBe("1");
    }
  });
});

describe("JSON inside strings", () => {
  const lists: JsonSchema = { type: "array", items: { type: "array" } };
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const list = (length: number): string => JSON.stringify(Array.from({ length }, () => 0));

  test("may nest 64 levels deep", () => {
    const [deepest, deeper] = [nested(64), nested(65)];
    expect(read(lists, [deepest, deeper])).toEqual([JSON.parse(deepest), deeper]);
  });

  test.each([
    { lengths: [60_000, 39_999], areRead: [true, true] },
    { lengths: [60_000, 40_000], areRead: [true, false] },
    { lengths: [99_999, 0], areRead: [true, true] },
    { lengths: [99_999, 1], areRead: [true, false] },
    { lengths: [100_000, 99_999], areRead: [false, true] },
  ])("may hold 100,000 values in one message, lists included: $lengths", ({ lengths, areRead }) => {
    const sent = lengths.map(list);
    expect(read(lists, sent)).toEqual(
      sent.map((text, index): unknown => (areRead[index] === true ? JSON.parse(text) : text)),
    );
  });

  test("leaves the budget unchanged for plain values", () => {
    const sent = Array.from({ length: 10 }, () => "5");
    const numbers: JsonSchema = {
      type: "array",
      prefixItems: [{ type: "array" }],
      items: { type: "number" },
    };
    const [first, ...others] = read(numbers, [list(99_999), ...sent]) as unknown[];
    expect([Array.isArray(first), others]).toEqual([true, sent.map(Number)]);
  });
});

describe("the probable alternative", () => {
  const circle: JsonSchema = {
    type: "object",
    properties: { kind: { enum: ["circle"] }, radius: { type: "number", minimum: 0 } },
    required: ["kind", "radius"],
  };
  const square: JsonSchema = {
    type: "object",
    properties: { kind: { enum: ["square"] }, side: { type: "number" } },
    required: ["kind", "side"],
  };

  test.each([{ kind: "circle" }, { kind: "circle", radius: -1 }, { kind: "circle", radius: [] }])(
    "is explained as if it were the only one: %j",
    (shape) => {
      const explanation = issues(circle, shape);
      expect(explanation).toHaveLength(1);
      expect(issues({ anyOf: [circle, square] }, shape)).toEqual(explanation);
      expect(issues({ oneOf: [square, { anyOf: [circle, { type: "null" }] }] }, shape)).toEqual(explanation);
    },
  );

  test("is undefined if several may fit", () => {
    expect(issues({ oneOf: [{ type: "integer" }, { minimum: 0, type: "number" }] }, 1)).toEqual([
      "the arguments must be an integer or a number (got 1)",
    ]);
  });

  describe("is not the remaining alternative", () => {
    const text: JsonSchema = { type: "string" };
    const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    });
    const auth: JsonSchema = {
      type: "object",
      properties: {
        auth: {
          anyOf: [object({ kind: { type: "string", enum: ["basic"] }, user: text }), object({ token: text })],
        },
      },
    };
    const all = '`auth` must be an object with kind: "basic" or an object with `token`';

    test.each<[JsonValue, string]>([
      [{ kind: "wrong" }, `${all} (got {"kind":"wrong"})`],
      [{ user: "ada" }, `${all} (got {"user":"ada"})`],
      [{}, `${all} (got {})`],
      [{ token: 5 }, "`auth.token` must be a string (got 5)"],
      [{ kind: "basic" }, "missing `auth.user` (a string)"],
      [{ kind: "basci", user: "ada" }, '`auth.kind` must be "basic"; did you mean "basic"? (got "basci")'],
    ])("if %j shows no sign of it", (value, expected) => {
      expect(issues(auth, { auth: value })).toEqual([expected]);
    });
  });

  test("is not reported for members that would be coerced", () => {
    const moment: JsonSchema = { type: "string", format: "date-time" };
    const [from, to, day] = [moment, moment, moment];
    const range: JsonSchema = {
      anyOf: [
        { type: "string", enum: ["today"] },
        { type: "object", properties: { from, to }, required: ["from", "to"], additionalProperties: false },
        { type: "object", properties: { day }, required: ["day"], additionalProperties: false },
      ],
    };
    const schema: JsonSchema = { type: "object", properties: { range } };
    const given = { range: { from: "2030-01-01" } };
    expect(issues(schema, read(schema, given))).toEqual([
      'missing `range.to` (a string (date-time), such as "2026-07-28T09:30:00Z")',
    ]);
  });

  test("is the only object, although its choice is wrong", () => {
    const filter: JsonSchema = {
      type: "object",
      properties: { op: { type: "string", enum: ["=", "<"] }, value: { type: "number" } },
      required: ["op", "value"],
      additionalProperties: false,
    };
    const where: JsonSchema = {
      type: "object",
      properties: { where: { anyOf: [{ type: ["string", "number"] }, filter] } },
    };
    expect(issues(where, { where: { op: "!", value: 1 } })).toEqual([
      '`where.op` must be one of "=", "<" (got "!")',
    ]);
  });

  test("is described without constants that it does not require", () => {
    const optional: JsonSchema = { type: "object", properties: { optional: { enum: [true] } } };
    const guests: JsonSchema = { type: "object", properties: { guests: { type: "array", items: optional } } };
    expect(issues(guests, { guests: 1 })).toEqual(["`guests` must be an array (each an object) (got 1)"]);
  });

  test("is not excluded by a wrong constant that another one does not require", () => {
    const properties: Record<string, JsonSchema> = {
      title: { type: "string" },
      state: { enum: ["open", "closed"] },
    };
    const patch = {
      anyOf: ["title", "state"].map((name) => ({ type: "object" as const, properties, required: [name] })),
    };
    expect(issues(patch, { state: "opened" })).toEqual([
      '`state` must be one of "open", "closed"; did you mean "open"? (got "opened")',
    ]);
  });
});

describe("the innermost certain location", () => {
  const text: JsonSchema = { type: "string" };
  const number: JsonSchema = { type: "number" };
  const toList = (items: JsonSchema): JsonSchema => ({ type: "array", items });
  const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const input = (schema: JsonSchema, $defs: Record<string, JsonSchema> = {}): JsonSchema => ({
    type: "object",
    properties: { input: schema },
    $defs,
  });
  const lists = { anyOf: [text, toList(text), toList(number), toList(toList(number))] };
  const texts = Array.from({ length: 105 }, (_, index): JsonValue => (index === 57 ? 5 : "x"));
  const step = { anyOf: [object({ do: { enum: ["wait"] }, ms: number }), object({ do: { enum: ["go"] } })] };
  const nested = input(
    { anyOf: [{ $ref: "#/$defs/Plan" }, toList({ $ref: "#/$defs/Plan" })] },
    {
      Plan: { anyOf: [object({ steps: toList(step) }), object({ name: text })] },
    },
  );

  test.each<[string, JsonSchema, JsonValue, string]>([
    ["one bad item of many", input(lists), texts, "`input[57]` must be a string (got 5)"],
    ["one bad item inside items", input(lists), [[1], [2, "3"]], '`input[1][1]` must be a number (got "3")'],
    [
      "items that fit two alternatives equally well",
      input(lists),
      [1, "2"],
      "`input` must be a string or an array (each a string) or an array (each a number) or an array (each an array " +
        '(each a number)) (got [1,"2"])',
    ],
    [
      "items that fit no alternative",
      input(lists),
      [true],
      "`input` must be a string or an array (each a string) or an array (each a number) or an array (each an array " +
        "(each a number)) (got [true])",
    ],
    [
      "a choice inside alternatives of alternatives",
      nested,
      [{ name: "a" }, { steps: [{ do: "go" }, { do: "wiat", ms: 1 }] }],
      '`input[1].steps[1].do` must be one of "wait", "go"; did you mean "wait"? (got "wiat")',
    ],
    [
      "a member inside alternatives of alternatives",
      nested,
      { steps: [{ do: "wait", sm: 1 }] },
      "missing `input.steps[0].ms` (a number)",
    ],
    ["no matching choice", nested, { steps: [{ ms: 1 }] }, '`input.steps[0].do` (one of "wait", "go")'],
    [
      "text of several kinds",
      input({
        anyOf: [
          { type: "string", enum: ["pd", "pw"] },
          { type: "string", pattern: "^\\d{4}$" },
        ],
      }),
      "pww",
      '`input` must match the pattern ^\\d{4}$ or be one of "pd", "pw"; did you mean "pw"? (got "pww")',
    ],
  ])("is reported: %s", (_, schema, value, expected) => {
    expect(issues(schema, { input: value })[0]).toContain(expected);
  });
});

describe("an example of a valid value", () => {
  const text: JsonSchema = { type: "string", format: "date", examples: ["2027-01-02"] };

  test.each<[JsonSchema, JsonValue, string]>([
    [text, 5, '`a` must be a string (date), such as "2027-01-02" (got 5)'],
    [text, "soon", '`a` must be a valid date, such as "2027-01-02" (got "soon")'],
    [{ type: "string", format: "date" }, 5, '`a` must be a string (date), such as "2026-07-28" (got 5)'],
    [{ type: "string", format: "byte" }, "a", '`a` must be base64, such as "SGVsbG8=" (got "a")'],
    [{ type: "number", minimum: 1, examples: [3] }, 0, "`a` must be at least 1, such as 3 (got 0)"],
    [{ type: "object", examples: [{ x: 1 }] }, 0, '`a` must be an object, such as {"x":1} (got 0)'],
    [
      { type: "string", pattern: "^x", examples: ["xy"] },
      "y",
      '`a` must match the pattern ^x, such as "xy" (got "y")',
    ],
  ])("is shown if one exists: %j for %j", (schema, value, expected) => {
    expect(issues({ type: "object", properties: { a: schema } }, { a: value })).toEqual([expected]);
  });

  test("is omitted if it adds nothing or might not fit", () => {
    const long: JsonSchema = { type: "string", format: "email", maxLength: 6 };
    const choice: JsonSchema = { type: "string", enum: ["x"], examples: ["x"] };
    const schema: JsonSchema = { type: "object", properties: { long, choice } };
    expect(issues(schema, { long: "ada@b.org", choice: "y" })).toEqual([
      '`long` must have at most 6 characters (got "ada@b.org")',
      '`choice` must be "x" (got "y")',
    ]);
  });
});

describe("the hint for an unknown argument", () => {
  test.each([
    ["citty", "; did you mean `city`?"],
    ["y", "; valid: `x`, `city`"],
    ["X", "; did you mean `x`?"],
  ])("suggests a similar name, or else lists all valid names: %s", (name, hint) => {
    const schema: JsonSchema = {
      type: "object",
      properties: { x: {}, city: {} },
      additionalProperties: false,
    };
    expect(issues(schema, { [name]: 1 })).toEqual([`unknown argument \`${name}\`${hint}`]);
  });

  test("is omitted if other names are allowed too", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {},
      patternProperties: { "^(?!type$)": { type: "string" } },
      additionalProperties: false,
    };
    expect(issues(schema, { type: "x", other: "y" })).toEqual(["unknown argument `type`"]);
  });
});

describe("keywords that no type produces", () => {
  const number: JsonSchema = { type: "number" };
  const list = (keywords: Record<string, unknown>): JsonSchema => ({
    type: "object",
    properties: { a: { type: "array", ...keywords } },
  });
  const object = (keywords: Record<string, unknown>): JsonSchema => ({
    type: "object",
    properties: { a: number },
    ...keywords,
  });
  const needed = "; valid: `a`";

  test.each<[JsonSchema, Record<string, JsonValue>, string]>([
    [
      object({ not: { required: ["b"] } }),
      { b: 1 },
      'the arguments must not match the schema in `not` (got {"b":1})',
    ],
    [object({ properties: { a: false } }), { a: 1 }, "`a` must be omitted (got 1)"],
    // oxlint-disable-next-line no-thenable -- a keyword; a schema is never awaited
    [object({ if: { required: ["b"] }, then: { required: ["a"] } }), { b: 1 }, "missing argument `a`"],
    [object({ if: { required: ["b"] }, else: { required: ["c"] } }), { a: 1 }, "missing argument `c`"],
    [object({ dependentRequired: { a: ["c"] } }), { a: 1 }, "missing argument `c`"],
    [object({ dependentSchemas: { b: { required: ["a"] } } }), { b: 1 }, "missing argument `a`"],
    [object({ dependencies: { b: { required: ["a"] }, a: ["c"] } }), { a: 1 }, "missing argument `c`"],
    [
      { type: "object", propertyNames: { type: "string", pattern: "^[A-Z]+$" }, additionalProperties: {} },
      { eur: 1 },
      "unknown argument `eur`; names must match the pattern ^[A-Z]+$",
    ],
    [object({ propertyNames: { maxLength: 2 } }), { abc: 1 }, "unknown argument `abc`"],
    [object({ unevaluatedProperties: false }), { aa: 1 }, "unknown argument `aa`; did you mean `a`?"],
    [object({ unevaluatedProperties: number }), { b: "1" }, '`b` must be a number (got "1")'],
    [
      { allOf: [{ properties: { b: number } }], ...object({ unevaluatedProperties: false }) },
      { b: 1, other: 2 },
      `unknown argument \`other\`${needed}`,
    ],
    [list({ contains: number }), { a: ["x"] }, '`a` must have at least 1 item that is a number (got ["x"])'],
    [
      list({ contains: number, minContains: 2 }),
      { a: [1] },
      "`a` must have at least 2 items that are each a number (got [1])",
    ],
    [
      list({ contains: number, maxContains: 1 }),
      { a: [1, 2] },
      "`a` must have at most 1 item that is a number (got [1,2])",
    ],
    [
      list({ prefixItems: [{}], unevaluatedItems: false }),
      { a: [1, 2] },
      "`a` must have at most 1 item (got [1,2])",
    ],
    [
      list({ prefixItems: [{}], unevaluatedItems: number }),
      { a: [1, "2"] },
      '`a[1]` must be a number (got "2")',
    ],
    [
      {
        ...object({ properties: { a: { $dynamicRef: "#n" } } }),
        $defs: { N: { $dynamicAnchor: "n", type: "number" } },
      },
      { a: "1" },
      '`a` must be a number (got "1")',
    ],
    [
      object({ properties: { a: { type: "string", nullable: true } } }),
      { a: 1 },
      "`a` must be a string (got 1)",
    ],
  ])("are explained in messages: %j", (schema, value, expected) => {
    expect(issues(schema, value)).toEqual([expected]);
  });

  test("include OpenAPI's `nullable`, which allows null", () => {
    const schema = object({ properties: { a: { type: "string", nullable: true } }, required: ["b"] });
    expect(issues(schema, { a: null })).toEqual(["missing argument `b`"]);
  });
});

describe("alternatives that are tuples", () => {
  const step: JsonSchema = {
    anyOf: [
      {
        type: "array",
        prefixItems: [{ const: "move" }, { type: "number" }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
      { type: "array", prefixItems: [{ const: "say" }], items: { type: "string" }, minItems: 1 },
    ],
  };

  test.each<[JsonValue, string[]]>([
    [["move"], ['`steps[0]` must have at least 2 items (got ["move"])']],
    [["move", "x"], ['`steps[0][1]` must be a number (got "x")']],
    [["say", "a", 5], ["`steps[0][2]` must be a string (got 5)"]],
    [["jump"], ['`steps[0][0]` must be one of "move", "say" (got "jump")']],
  ])("are distinguished by their constants: %j", (value, expected) => {
    const schema: JsonSchema = {
      type: "object",
      properties: { steps: { type: "array", items: step } },
    };
    expect(issues(schema, { steps: [value] })).toEqual(expected);
  });

  test("are compared with lists, which have no constants", () => {
    const list: JsonSchema = { type: "array", items: { type: "number" } };
    const between: JsonSchema = {
      type: "array",
      prefixItems: [{ const: "between" }, { type: "number" }, { type: "number" }],
      minItems: 3,
      maxItems: 3,
    };
    const schema: JsonSchema = { type: "object", properties: { range: { anyOf: [between, list] } } };
    expect(issues(schema, { range: ["betwen", 1, 2] })).toEqual([
      '`range[0]` must be "between" (got "betwen")',
    ]);
    expect(issues(schema, { range: [1, "2", 3] })).toEqual(['`range[1]` must be a number (got "2")']);
  });
});

test("only sentences that are shown are written, since each walks through the value", () => {
  const schema: JsonSchema = { type: "array", items: { type: "number" } };
  const sent = Array.from({ length: 100 }, () => "one");
  const read = new Set<string | symbol>();
  const shown = new Proxy(sent, {
    get(target, name, receiver) {
      read.add(name);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const sentences = describeIssues(schema, sent, "member", shown);
  expect(sentences).toHaveLength(21);
  expect(sentences.at(-1)).toBe("and 80 more problems");
  expect(read).toContain("19");
  expect(read).not.toContain("20");
});

test("the work for a deep value with several possible alternatives grows with its depth, not with the square", () => {
  const alternative = (name: string): JsonSchema => ({
    type: "object",
    properties: { part: { $ref: "#/$defs/Part" }, [name]: { type: "string" } },
    required: [name],
    additionalProperties: false,
  });
  const schema = toArgument("Part", { Part: { anyOf: [alternative("c"), alternative("d")] } });
  const countReads = (depth: number): number => {
    let reads = 0;
    const get = (target: object, name: string | symbol): unknown => {
      reads++;
      return Reflect.get(target, name) as unknown;
    };
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = new Proxy({ part: value }, { get });
    expect(issues(schema, { value })).toHaveLength(1);
    return reads;
  };
  expect(countReads(80) / countReads(40)).toBeLessThan(2.5);
});

test("the problems of very many values are not searched for, since clients could occupy the server with them", () => {
  const alternative = (name: string): JsonSchema => ({
    type: "object",
    properties: { [name]: { type: "number" } },
    required: [name],
    additionalProperties: false,
  });
  const list = (...names: string[]): JsonSchema => ({
    type: "array",
    items: { anyOf: names.map((name) => alternative(name)) },
  });
  const schema: JsonSchema = {
    type: "object",
    properties: { a: { anyOf: [list("x", "y"), list("v", "w"), { type: "null" }] } },
    required: ["a"],
    additionalProperties: false,
  };
  const reject = (length: number): readonly string[] => {
    const validators = { input: () => false, reconsiderArguments };
    const plan = { validators, schema, noun: "argument" as const, convert: (valid: Arguments) => valid };
    try {
      reconsiderArguments(plan, { a: Array.from({ length }, () => ({ z: 1 })) });
    } catch (error) {
      if (error instanceof ArgumentsError) return error.issues;
    }
    return [];
  };
  expect(reject(100)).toHaveLength(1);
  expect(reject(100)[0]).toMatch(/^`a` must be /);
  expect(reject(40_000)).toEqual([
    "the arguments do not fit the schema, and contain too many values to search for the problems; send fewer",
  ]);
});

test("a problem that two rules find is named once", () => {
  const rule: JsonSchema = { properties: { a: { minimum: 5 } } };
  expect(issues({ type: "object", allOf: [rule, { ...rule }] }, { a: 1 })).toEqual([
    "`a` must be at least 5 (got 1)",
  ]);
});
