import type { HandlerParameter, JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, it } from "vitest";
import { createTypeProject } from "./type-project.js";

interface Case {
  /** The method, as it stands in a class. */
  method: string;
  declare?: string;
  properties: Record<string, JsonSchema>;
  required?: string[];
  parameters: HandlerParameter[];
}

const argument = (name: string): HandlerParameter => ({ from: "argument", name });
const whole: HandlerParameter = { from: "arguments" };
const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const bigint: JsonSchema = { type: "string", pattern: "^-?\\d+$" };

const named: Record<string, Case> = {
  "each parameter is an argument": {
    method: "run(city: string, days: number) {}",
    properties: { city: text, days: number },
    required: ["city", "days"],
    parameters: [argument("city"), argument("days")],
  },
  "no parameters": { method: "run() {}", properties: {}, parameters: [] },
  "optional, `| undefined` and initialized parameters": {
    method: "run(a?: string, b: string | undefined = undefined, c: number = 5, d: string | null = null) {}",
    properties: {
      a: text,
      b: text,
      c: { type: "number", default: 5 },
      d: { type: ["string", "null"], default: null },
    },
    parameters: [argument("a"), argument("b"), argument("c"), argument("d")],
  },
  "a required parameter that may be undefined": {
    method: "run(a: string | undefined, b: number) {}",
    properties: { a: text, b: number },
    required: ["b"],
    parameters: [argument("a"), argument("b")],
  },
  "inferred from the initializer": {
    method: 'run(limit = 10, mode = "fast" as "fast" | "slow", on = true) {}',
    properties: {
      limit: { type: "number", default: 10 },
      mode: { type: "string", enum: ["fast", "slow"], default: "fast" },
      on: { type: "boolean", default: true },
    },
    parameters: [argument("limit"), argument("mode"), argument("on")],
  },
  "a rest parameter": {
    method: "run(first: string, ...tags: string[]) {}",
    properties: { first: text, tags: { type: "array", items: text } },
    required: ["first"],
    parameters: [argument("first"), { from: "argument", name: "tags", rest: true }],
  },
  "members of an object next to other arguments, documented with the method": {
    method:
      "\n/**\n * @param city Where\n * @param page.size How many\n */\nrun(city: string, page: { size: number }) {}",
    properties: {
      city: { ...text, description: "Where" },
      page: {
        type: "object",
        properties: { size: { ...number, description: "How many" } },
        required: ["size"],
        additionalProperties: false,
      },
    },
    required: ["city", "page"],
    parameters: [argument("city"), argument("page")],
  },
  "a rest parameter that may not be empty": {
    method: "run(...path: [first: string, ...others: string[]]) {}",
    properties: { path: { type: "array", prefixItems: [text], items: text, minItems: 1 } },
    required: ["path"],
    parameters: [{ from: "argument", name: "path", rest: true }],
  },
  "a rest parameter of optional elements": {
    method: "run(...range: [from?: number, to?: number]) {}",
    properties: {
      range: { type: "array", prefixItems: [number, number], items: number, minItems: 0, maxItems: 2 },
    },
    parameters: [{ from: "argument", name: "range", rest: true }],
  },
  "no default that JSON numbers cannot represent": {
    method: "run(most = 1e999, least = -1e999) {}",
    properties: { most: number, least: number },
    parameters: [argument("most"), argument("least")],
  },
  "a type parameter without null": {
    method: "run<T extends string | null>(a: NonNullable<T>, b: T) {}",
    properties: { a: text, b: { type: ["string", "null"] } },
    required: ["a", "b"],
    parameters: [argument("a"), argument("b")],
  },
  "an array, a Date, a primitive alone": {
    method: "run(since: Date) {}",
    properties: { since: { type: "string", format: "date-time" } },
    required: ["since"],
    parameters: [argument("since")],
  },
  "an interface alone whose JSON is an array": {
    declare: "interface Tags extends Array<string> {}",
    method: "run(tags: Tags) {}",
    properties: { tags: { type: "array", items: text } },
    required: ["tags"],
    parameters: [argument("tags")],
  },
  "a class alone whose JSON is an array": {
    declare: "class Tags extends Array<string> {}",
    method: "run(tags: Tags) {}",
    properties: { tags: { type: "array", items: text } },
    required: ["tags"],
    parameters: [argument("tags")],
  },
  "an ArrayLike alone": {
    method: "run(tags: ArrayLike<string>) {}",
    properties: { tags: { type: "array", items: text } },
    required: ["tags"],
    parameters: [argument("tags")],
  },
  "an interface alone that extends a Date": {
    declare: "interface Moment extends Date {}",
    method: "run(since: Moment) {}",
    properties: { since: { type: "string", format: "date-time" } },
    required: ["since"],
    parameters: [argument("since")],
  },
  "a union of objects alone keeps its name, so that the root stays an object": {
    method: "run(shape: { a: string } | { b: number }) {}",
    properties: {
      shape: {
        anyOf: [
          { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false },
          { type: "object", properties: { b: number }, required: ["b"], additionalProperties: false },
        ],
      },
    },
    required: ["shape"],
    parameters: [argument("shape")],
  },
  "an object next to other parameters is an argument": {
    method: "run(city: string, options: { days?: number }) {}",
    properties: {
      city: text,
      options: { type: "object", properties: { days: number }, additionalProperties: false },
    },
    required: ["city", "options"],
    parameters: [argument("city"), argument("options")],
  },
  "a `this` parameter is not an argument": {
    method: "run(this: Tools, city: string) {}",
    properties: { city: text },
    required: ["city"],
    parameters: [argument("city")],
  },
  "a type parameter represents its constraint": {
    method: "run<T extends string>(a: T, b: T[]) {}",
    properties: { a: text, b: { type: "array", items: text } },
    required: ["a", "b"],
    parameters: [argument("a"), argument("b")],
  },
};

const oneObject: Record<string, Case> = {
  "its properties are the arguments": {
    method: "run(args: { city: string; days?: number }) {}",
    properties: { city: text, days: number },
    required: ["city"],
    parameters: [whole],
  },
  "an intersection with `object`, as in an `Insertable` of Kysely": {
    declare: "type Insertable<T> = [object & T & { id?: number }] extends [infer R] ? R : never;",
    method: "run(row: Insertable<{ name: string }>) {}",
    properties: { name: text, id: number },
    required: ["name"],
    parameters: [whole],
  },
  "an interface": {
    method: "run(args: Args) {}",
    declare: "interface Base { city: string }\ninterface Args extends Base { days?: number }",
    properties: { days: number, city: text },
    required: ["city"],
    parameters: [whole],
  },
  "a class": {
    method: "run(args: Args) {}",
    declare: "class Args { city: string = ''; static days = 2 }",
    properties: { city: text },
    required: ["city"],
    parameters: [whole],
  },
  "a generic, an intersection, a mapped type": {
    method: 'run(args: Partial<Page<string>> & Record<"b", number>) {}',
    declare: "interface Page<T> { items: T[] }",
    properties: { items: { type: "array", items: text }, b: number },
    required: ["b"],
    parameters: [whole],
  },
  "a type parameter with an object for a constraint": {
    method: "run<T extends { city: string }>(args: T) {}",
    properties: { city: text },
    required: ["city"],
    parameters: [whole],
  },
  "a type parameter and other members": {
    method: "run<T extends { city: string }>(args: T & { days: number }) {}",
    properties: { city: text, days: number },
    required: ["city", "days"],
    parameters: [whole],
  },
  "no properties": {
    declare: "interface None {}",
    method: "run(args: None) {}",
    properties: {},
    parameters: [whole],
  },
  "with a default in its comment, which its members receive": {
    method: 'run(/** @default { "city": "Oslo", "days": 3 } */ args: { city: string; days?: number }) {}',
    properties: { city: { ...text, default: "Oslo" }, days: { ...number, default: 3 } },
    parameters: [whole],
  },
  "optional, or with an initializer: members with defaults may be omitted": {
    method: 'run(args: { city: string; days: number; note?: string } = { city: "Oslo", days: 3 }) {}',
    properties: { city: { ...text, default: "Oslo" }, days: { ...number, default: 3 }, note: text },
    parameters: [whole],
  },
  "destructured, with defaults": {
    method:
      'run({ city, days = 3, units: u = "metric" }: { city: string; days?: number; units?: string }) {}',
    properties: { city: text, days: { ...number, default: 3 }, units: { ...text, default: "metric" } },
    required: ["city"],
    parameters: [whole],
  },
  "destructured, with a default for a member the type requires": {
    method: "run({ days = 3 }: { days: number }) {}",
    properties: { days: { ...number, default: 3 } },
    parameters: [whole],
  },
  "destructured deeply": {
    method: "run({ page: { size = 20 } }: { page: { size?: number } }) {}",
    properties: {
      page: {
        type: "object",
        properties: { size: { ...number, default: 20 } },
        additionalProperties: false,
      },
    },
    required: ["page"],
    parameters: [whole],
  },
  "destructured, with a default only known at run time": {
    method: "run({ now = Date.now() }: { now?: number }) {}",
    properties: { now: number },
    parameters: [whole],
  },
  "with a default only known at run time, which applies if there are no arguments": {
    method: "run(args: { now?: number } = { now: Date.now() }) {}",
    properties: { now: number },
    parameters: [{ from: "arguments", omitEmpty: true }],
  },
  "destructured with defaults, and with a default only known at run time": {
    method: "run({ days = 3 }: { now?: number; days?: number } = { now: Date.now() }) {}",
    properties: { now: number, days: number },
    parameters: [{ from: "arguments", omitEmpty: true }],
  },
  "with a default that has more members than the type": {
    declare: "const LIMITS = { days: 3, weeks: { from: 1, to: 2 } };",
    method: "run(args: { days?: number; weeks?: { from: number } } = LIMITS) {}",
    properties: {
      days: { ...number, default: 3 },
      weeks: {
        type: "object",
        properties: { from: number },
        required: ["from"],
        additionalProperties: false,
      },
    },
    parameters: [{ from: "arguments", omitEmpty: true }],
  },
  "destructured, with a rest": {
    method: "run({ city, ...others }: { city: string; days?: number }) {}",
    properties: { city: text, days: number },
    required: ["city"],
    parameters: [whole],
  },
};

const injected: Record<string, Case> = {
  "a Context, wherever it is": {
    method: "run(ctx: Context, city: string) {}",
    declare: 'import type { Context } from "@tenon/runtime";',
    properties: { city: text },
    required: ["city"],
    parameters: [{ from: "context" }, argument("city")],
  },
  "under another name": {
    method: "run(args: { city: string }, c?: Ctx) {}",
    declare: 'import type { Context as Ctx } from "@tenon/runtime";',
    properties: { city: text },
    required: ["city"],
    parameters: [whole, { from: "context" }],
  },
  "an AbortSignal": {
    method: "run(signal: AbortSignal, args: { a?: string }) {}",
    properties: { a: text },
    parameters: [{ from: "signal" }, whole],
  },
  "not an author's own Context": {
    method: "run(ctx: Context) {}",
    declare: "interface Context { depth: number }\nexport {};",
    properties: { depth: number },
    required: ["depth"],
    parameters: [whole],
  },
  "not by the name of the parameter": {
    method: "run(ctx: string, signal: string) {}",
    properties: { ctx: text, signal: text },
    required: ["ctx", "signal"],
    parameters: [argument("ctx"), argument("signal")],
  },
};

const defaults: Record<string, Case> = {
  constants: {
    method:
      "run(a = LIMIT, b = LIMITS.high, c = Unit.F, d: number[] = [1, -2], e: { x?: number } = { x: 1 }, f = 'a' + 'b', g = 1_000) {}",
    declare: 'const LIMIT = 5;\nconst LIMITS = { low: 1, high: 9 };\nenum Unit { C = "c", F = "f" }',
    properties: {
      a: { ...number, default: 5 },
      b: { ...number, default: 9 },
      c: { type: "string", enum: ["c", "f"], default: "f" },
      d: { type: "array", items: number, default: [1, -2] },
      e: { type: "object", properties: { x: number }, additionalProperties: false, default: { x: 1 } },
      f: { ...text, default: "ab" },
      g: { ...number, default: 1000 },
    },
    parameters: ["a", "b", "c", "d", "e", "f", "g"].map((name) => argument(name)),
  },
  "operations on constants": {
    declare: "const SECOND = 1000;",
    method:
      "run(a = 60 * SECOND, b = 1 << 20, c = 2 ** 10 - 24, d = SECOND / 4 % 100, e = 1 | 4, f = 16 >> 2, g = 1 / 0, h = ~6 & 0xff ^ 8, i = -1 >>> 28) {}",
    properties: {
      a: { ...number, default: 60_000 },
      b: { ...number, default: 1_048_576 },
      c: { ...number, default: 1000 },
      d: { ...number, default: 50 },
      e: { ...number, default: 5 },
      f: { ...number, default: 4 },
      g: number,
      h: { ...number, default: 241 },
      i: { ...number, default: 15 },
    },
    parameters: ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((name) => argument(name)),
  },
  "a default that is known only at run time is omitted": {
    method: "run(a = Date.now(), b = new Date(), c = process.env.HOME ?? '') {}",
    properties: { a: number, b: { type: "string", format: "date-time" }, c: text },
    parameters: [argument("a"), argument("b"), argument("c")],
  },
  "a bigint literal is text, as in JSON": {
    method: "run(a = 5n, b = -0x10n, c: 1n | 2n = 2n) {}",
    properties: {
      a: { type: "string", pattern: "^-?\\d+$", default: "5" },
      b: { type: "string", pattern: "^-?\\d+$", default: "-16" },
      c: { type: "string", enum: ["1", "2"], default: "2" },
    },
    parameters: [argument("a"), argument("b"), argument("c")],
  },
  "a bigint in a constant, a list, or an object is text as well": {
    declare: "const MAX = 10n; const RANGE = { from: -1n, days: [1, 2] };",
    method:
      "run(a = MAX, b = [1n, MAX], c = RANGE, d: [bigint, string] = [2n, 'x'], e: { [id: string]: bigint } = { x: 3n }) {}",
    properties: {
      a: { ...bigint, default: "10" },
      b: { type: "array", items: bigint, default: ["1", "10"] },
      c: {
        type: "object",
        properties: { from: bigint, days: { type: "array", items: number } },
        required: ["from", "days"],
        additionalProperties: false,
        default: { from: "-1", days: [1, 2] },
      },
      d: {
        type: "array",
        prefixItems: [bigint, text],
        items: { type: "string" },
        minItems: 2,
        maxItems: 2,
        default: ["2", "x"],
      },
      e: { type: "object", properties: {}, additionalProperties: bigint, default: { x: "3" } },
    },
    parameters: ["a", "b", "c", "d", "e"].map((name) => argument(name)),
  },
  "a bigint of a union": {
    method: "run(a: bigint | boolean = 1n, b: { n: bigint } | bigint[] = { n: 2n }) {}",
    properties: {
      a: { anyOf: [bigint, { type: "boolean" }], default: "1" },
      b: {
        anyOf: [
          { type: "object", properties: { n: bigint }, required: ["n"], additionalProperties: false },
          { type: "array", items: bigint },
        ],
        default: { n: "2" },
      },
    },
    parameters: [argument("a"), argument("b")],
  },
  "a bigint of an object parameter": {
    method: "run(args: { from?: bigint; to?: bigint } = { from: 1n, to: -2n }) {}",
    properties: { from: { ...bigint, default: "1" }, to: { ...bigint, default: "-2" } },
    parameters: [whole],
  },
  "a bigint that the server would pass to the method as text is not listed": {
    method: "run(a: unknown = 5n, b: unknown = { n: [5n] }, c: { n: unknown } = { n: 5n }) {}",
    properties: {
      a: {},
      b: {},
      c: { type: "object", properties: { n: {} }, required: ["n"], additionalProperties: false },
    },
    parameters: ["a", "b", "c"].map((name) => argument(name)),
  },
  "`@default` applies to a required argument as well, which callers may omit": {
    method: "run(/** @default 3 */ a: number, /** @default 3 */ b?: number) {}",
    properties: { a: { ...number, default: 3 }, b: { ...number, default: 3 } },
    parameters: [argument("a"), argument("b")],
  },
};

const groups = {
  "parameters become arguments:": named,
  "the members of a single object parameter become arguments:": oneObject,
  "injected parameters are recognized by their types:": injected,
  "defaults are derived:": defaults,
};
const cases = Object.entries(groups).flatMap(([group, list], part) =>
  Object.entries(list).map(([title, each], index) => ({
    group,
    title,
    each,
    file: `case-${part}-${index}`,
  })),
);

const project = createTypeProject({
  ...Object.fromEntries(
    cases.map(({ each, file }) => [file, `${each.declare ?? ""}\nexport class Tools { ${each.method} }\n`]),
  ),
  inherited: `
    abstract class Store<T> {
      /**
       * Saves.
       * @param item What to save */
      save(item: T, note?: string) { return [item, note]; }
    }
    interface Row { id: string }
    export class Rows extends Store<Row> {
      override save(item: Row, note?: string) { return [item, note]; }
    }`,
  "inherited-as-is": `
    abstract class Store<T> {
      /** @param item What to save */
      save(item: T, list: T[]) { return [item, list]; }
    }
    interface Row { id: string }
    export class Rows extends Store<Row> {}`,
  recursive: `
    interface Tree { value: string; children?: Tree[] }
    export class Tools { run(tree: Tree) {} two(left: Tree, right: Tree) {} }`,
  carried: `export class Tools { run(since: Date, tags: Set<string>, note: string) {} one(args: { until?: Date }) {} }`,
});

describe.each(Object.keys(groups))("%s", (group) => {
  it.each(cases.filter((each) => each.group === group))("$title", ({ each, file }) => {
    const { derived, diagnostics } = project.method(file, "run");
    expect(diagnostics).toEqual([]);
    expect([...project.errorLines(file)]).toEqual([]);
    expect(derived?.parameters).toEqual(each.parameters);
    expect(derived?.schema).toEqual({
      type: "object",
      properties: each.properties,
      ...(each.required && { required: each.required }),
      additionalProperties: false,
    });
  });
});

it("an overriding method's parameters are described by the method it overrides", () => {
  const { derived } = project.method("inherited");
  expect(derived?.schema.properties?.item).toMatchObject({ description: "What to save" });
});

it("the type arguments of a generic base class are filled in", () => {
  const { derived, diagnostics } = project.inheritedMethod("inherited-as-is", "Rows", "save");
  expect(diagnostics).toEqual([]);
  expect(derived?.schema).toEqual({
    type: "object",
    properties: {
      item: {
        type: "object",
        properties: { id: text },
        required: ["id"],
        additionalProperties: false,
        description: "What to save",
      },
      list: {
        type: "array",
        items: { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false },
      },
    },
    required: ["item", "list"],
    additionalProperties: false,
  });
});

it("a recursive root is copied, and parameters share definitions", () => {
  const tree: JsonSchema = {
    type: "object",
    properties: { value: text, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
    required: ["value"],
    additionalProperties: false,
  };
  expect(project.method("recursive", "run").derived?.schema).toEqual({ ...tree, $defs: { Tree: tree } });
  expect(project.method("recursive", "two").derived?.schema).toMatchObject({
    properties: { left: { $ref: "#/$defs/Tree" }, right: { $ref: "#/$defs/Tree" } },
    $defs: { Tree: tree },
  });
});

it("the derived arguments include their conversion", () => {
  expect(project.method("carried", "run").derived?.conversion).toEqual({
    kind: "object",
    properties: { since: { kind: "date" }, tags: { kind: "set" } },
  });
  expect(project.method("carried", "one").derived?.conversion).toEqual({
    kind: "object",
    properties: { until: { kind: "date" } },
  });
});
