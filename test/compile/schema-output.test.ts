import type { Conversion, JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { expect, it } from "vitest";
// Internal: results of the types of a table, without a project for each.
import { createDataWriter } from "../../packages/runtime/src/data/results/data-writer.js";
import { toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { createValidator } from "./sample-validator.js";
import { READERS } from "./schema-readers.js";
import { createTypeProject } from "./type-project.js";

/** Results: open objects, and the JSON that `JSON.stringify` produces. */
interface Case {
  type: string;
  declare?: string;
  /** If absent, neither it nor the conversion is compared. */
  schema?: JsonSchema;
  conversion?: Conversion;
  accepts?: JsonValue[];
  rejects?: JsonValue[];
  /** Values that a handler returns, and the JSON that each becomes. */
  carries?: [value: unknown, json: JsonValue][];
}

const shown: JsonSchema = {
  type: "object",
  properties: { amount: { type: "number" }, at: { type: "string", format: "date-time" } },
  required: ["amount", "at"],
};
const shownConversion: Conversion = { kind: "object", properties: { at: { kind: "date" } } };
const shownJson = { amount: 1, at: "1970-01-01T00:00:00.000Z" };

class Shown {
  readonly amount = 1;
  readonly at = new Date(0);

  toJSON(): string {
    return "never asked";
  }
}

class Asked {
  toJSON(): Shown {
    return new Shown();
  }
}

class Leaf {
  readonly at = new Date(0);
  readonly kids = [];

  toJSON(): string {
    return "asked twice";
  }
}

const cases: Case[] = [
  ...["Marked", "Empty", "Omit<{ a: string }, 'a'>", "{ [key: symbol]: string }"].map((type): Case => ({
    type,
    declare: "declare const mark: unique symbol; interface Marked { [mark]?: never } interface Empty {}",
    schema: { type: "object", properties: {}, additionalProperties: false },
  })),
  {
    type: "{ a: string }",
    schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    accepts: [{ a: "x" }, { a: "x", more: 1 }],
    rejects: [{}, { a: 1 }],
  },
  {
    type: "{ a: string | undefined; b: unknown; c: number }",
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: {}, c: { type: "number" } },
      required: ["c"],
    },
    accepts: [{ c: 1 }, { a: "x", b: [], c: 1 }],
    rejects: [{ a: null, c: 1 }],
  },
  {
    type: "(string | undefined)[]",
    schema: { type: "array", items: { type: ["string", "null"] } },
    accepts: [["a", null]],
    rejects: [[1]],
  },
  {
    // Without `exactOptionalPropertyTypes`, the second may be undefined, which does not omit an element.
    type: "[string, number?]",
    schema: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: ["number", "null"] }],
      items: { type: ["string", "number", "null"] },
      minItems: 1,
      maxItems: 2,
    },
    accepts: [["a"], ["a", 1], ["a", null]],
    rejects: [["a", "b"], [null]],
  },
  { type: "string | undefined", schema: { type: ["string", "null"] }, accepts: ["a", null], rejects: [1] },
  ...["number | null | undefined", "(number | null | undefined)[]", "[number | null | undefined]"].map(
    (type): Case => {
      const element: JsonSchema = { type: ["number", "null"] };
      const schemas: Record<string, JsonSchema> = {
        "(": { type: "array", items: element },
        "[": { type: "array", prefixItems: [element], items: element, minItems: 1, maxItems: 1 },
      };
      const wrap = (value: JsonValue): JsonValue => (type.startsWith("n") ? value : [value]);
      return {
        type,
        schema: schemas[type.charAt(0)] ?? element,
        accepts: [wrap(1), wrap(null)],
        rejects: [wrap("1"), {}],
      };
    },
  ),
  {
    type: '"a" | "b" | null | undefined',
    schema: { type: ["string", "null"], enum: ["a", "b", null] },
    accepts: ["a", null],
    rejects: ["c"],
  },
  {
    type: "(Sky | null | undefined)[]",
    declare: "enum Sky { Clear = 'clear', Rain = 1 }",
    schema: { type: "array", items: { type: ["string", "integer", "null"], enum: ["clear", 1, null] } },
    accepts: [["clear", 1, null]],
    rejects: [[2]],
  },
  {
    type: "(Date | null | undefined)[]",
    schema: { type: "array", items: { type: ["string", "null"], format: "date-time" } },
    conversion: { kind: "array", items: { kind: "date" } },
    accepts: [["2026-07-28T00:00:00Z", null]],
    rejects: [["soon"]],
  },
  {
    type: "{ a: 1 } | undefined",
    schema: {
      anyOf: [
        { type: "object", properties: { a: { type: "integer", enum: [1] } }, required: ["a"] },
        { type: "null" },
      ],
    },
    accepts: [{ a: 1 }, null],
    rejects: [{}],
  },
  ...["Report", "Report | null", "Report | undefined", "Promise<Report>"].map((type): Case => {
    const report: JsonSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    return {
      type: type.replace(/^Promise<(.*)>$/, "Awaited<$&>"),
      declare: "/** A public report. */ interface Report { n: number }",
      schema: {
        ...(type.includes("|") ? { anyOf: [report, { type: "null" }] } : report),
        description: "A public report.",
      },
    };
  }),
  {
    type: "Tree | null",
    declare: "/** A tree. */ interface Tree { kids: Tree[] }",
    schema: {
      anyOf: [{ $ref: "#/$defs/Tree" }, { type: "null" }],
      description: "A tree.",
      $defs: {
        Tree: {
          type: "object",
          properties: { kids: { type: "array", items: { $ref: "#/$defs/Tree" } } },
          required: ["kids"],
          description: "A tree.",
        },
      },
    },
  },
  {
    type: "(Stop | Stop)[]",
    declare: "interface Stop { id: string }",
    schema: {
      type: "array",
      items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    },
  },
  {
    type: "{ node: Same }",
    declare: "class Same { id = 1; toJSON(): this { return this } }",
    schema: {
      type: "object",
      properties: { node: { type: "object", properties: { id: { type: "number" } }, required: ["id"] } },
      required: ["node"],
    },
    accepts: [{ node: { id: 1 } }],
    rejects: [{ node: {} }],
  },
  {
    type: "Money",
    declare: "class Money { #cents = 1; toJSON(): string { return String(this.#cents) } }",
    schema: { type: "string" },
    accepts: ["1"],
    rejects: [1],
  },
  {
    type: "{ order: Order; account: Account; day: Day }",
    declare: `
      interface Populated<T> { populated: T }
      declare class Order {
        toJSON<T>(this: Populated<T>): { all: T };
        toJSON(options: { full: true }): { full: string };
        toJSON(options?: { full?: boolean }): { id: number };
        toJSON<T>(options?: { full?: boolean }): T;
      }
      declare class Account { toJSON<T>(): { other: T }; toJSON(): { id: number } }
      declare class Day { toJSON(options: { zone: string }): number; toJSON(key: string): string }`,
    schema: {
      type: "object",
      properties: {
        order: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
        account: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
        day: { type: "string" },
      },
      required: ["order", "account", "day"],
    },
  },
  {
    type: "{ total: Money }[]",
    declare: "interface Money { cents: bigint; toJSON(): { cents: string } }",
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: {
          total: { type: "object", properties: { cents: { type: "string" } }, required: ["cents"] },
        },
        required: ["total"],
      },
    },
    accepts: [[{ total: { cents: "1" } }]],
    rejects: [[{ total: "1" }]],
  },
  {
    type: "Wallet",
    declare: `
      class Money { constructor(public cents = 1n) {} toJSON(): Shown { return new Shown() } }
      class Shown { amount = 1; at = new Date(0); toJSON(): string { return "never asked" } }
      class Wallet { name = "a"; money = new Money(); all = [new Money()]; shown = new Shown() }`,
    schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        money: shown,
        all: { type: "array", items: shown },
        shown: { type: "string" },
      },
      required: ["name", "money", "all", "shown"],
    },
    conversion: {
      kind: "object",
      properties: { money: shownConversion, all: { kind: "array", items: shownConversion } },
    },
    carries: [
      [
        { name: "a", money: new Asked(), all: [new Asked()], shown: new Shown() },
        { name: "a", money: shownJson, all: [shownJson], shown: "never asked" },
      ],
    ],
  },
  {
    type: "Money | Uint8Array | null",
    declare:
      "class Money { private cents = 1; toJSON(): Date | { map: Map<string, bigint> } { return new Date() } }",
    carries: [
      [{ toJSON: () => new Date(0), cents: 1 }, "1970-01-01T00:00:00.000Z"],
      [{ toJSON: () => ({ map: new Map([["a", 1n]]) }) }, { map: { a: "1" } }],
      [new Uint8Array([0]), "AA=="],
      [null, null],
    ],
  },
  {
    type: "Node",
    declare:
      "class Node { toJSON(): Raw { throw 0 } } interface Raw { at: Date; kids: Node[]; toJSON(): string }",
    carries: [
      [
        { toJSON: () => ({ at: new Date(0), kids: [{ toJSON: () => new Leaf() }] }) },
        { at: "1970-01-01T00:00:00.000Z", kids: [{ at: "1970-01-01T00:00:00.000Z", kids: [] }] },
      ],
    ],
  },
  {
    type: "Account",
    declare:
      "class Account { id = ''; private pin = 1; get label() { return this.id + this.pin } get note(): string | undefined { return undefined } set limit(limit: number) {} private get hash() { return 1 } save() {} }",
    schema: {
      type: "object",
      properties: { id: { type: "string" }, label: { type: "string" }, note: { type: "string" } },
      required: ["id", "label"],
    },
    accepts: [
      { id: "a", label: "a1" },
      { id: "a", label: "a1", note: "b" },
    ],
    rejects: [{}, { id: "a" }],
  },
  {
    type: "{ at: Date; tags: Set<string>; sizes: Map<string, bigint> }",
    schema: {
      type: "object",
      properties: {
        at: { type: "string", format: "date-time" },
        tags: { type: "array", items: { type: "string" }, uniqueItems: true },
        sizes: {
          type: "object",
          properties: {},
          additionalProperties: { type: "string", pattern: "^-?\\d+$" },
        },
      },
      required: ["at", "tags", "sizes"],
    },
    conversion: {
      kind: "object",
      properties: {
        at: { kind: "date" },
        tags: { kind: "set" },
        sizes: { kind: "map", values: { kind: "bigint" }, object: true },
      },
    },
    accepts: [{ at: "2026-07-28T00:00:00Z", tags: ["a"], sizes: { a: "1" } }],
    rejects: [{ at: "2026-07-28T00:00:00Z", tags: [], sizes: { a: 1 } }],
  },
  {
    type: "string | Uint8Array",
    schema: { type: "string" },
    conversion: { kind: "bytes" },
    carries: [
      ["plain", "plain"],
      [new Uint8Array([0, 1, 2]), "AAEC"],
    ],
  },
  {
    type: "{ body: string | Buffer | null }[]",
    schema: {
      type: "array",
      items: { type: "object", properties: { body: { type: ["string", "null"] } }, required: ["body"] },
    },
    conversion: { kind: "array", items: { kind: "object", properties: { body: { kind: "bytes" } } } },
    carries: [
      [
        [{ body: Buffer.from([0, 1, 2]) }, { body: null }],
        [{ body: "AAEC" }, { body: null }],
      ],
    ],
  },
  {
    type: "string | Date | RegExp | bigint | URL | Uint8Array | 1",
    carries: [
      ["2026", "2026"],
      [new Date("2026-07-28T00:00:00Z"), "2026-07-28T00:00:00.000Z"],
      [/a+/, "a+"],
      [12n, "12"],
      [new URL("https://example.com/"), "https://example.com/"],
      [new Uint8Array([255]), "/w=="],
      [1, 1],
    ],
  },
  {
    type: "Set<Uint8Array> | string[] | Map<string, Uint8Array> | Record<string, string> | Uint8Array",
    carries: [
      [new Set([new Uint8Array([0])]), ["AA=="]],
      [
        ["AA", "AA"],
        ["AA", "AA"],
      ],
      [new Map([["a", new Uint8Array([0])]]), { a: "AA==" }],
      [{ a: "?" }, { a: "?" }],
      [new Uint8Array([0]), "AA=="],
    ],
  },
  {
    type: "{ data: Uint8Array; at: Date } | { data: string } | { data: (string | Uint8Array)[] }",
    carries: [
      [
        { data: new Uint8Array([0]), at: new Date(0) },
        { data: "AA==", at: "1970-01-01T00:00:00.000Z" },
      ],
      [{ data: "plain" }, { data: "plain" }],
      [{ data: ["plain", new Uint8Array([0])] }, { data: ["plain", "AA=="] }],
    ],
  },
  {
    // JSON has no `undefined`: members of objects are omitted, and those of arrays and maps are `null`.
    type: "{ names: Map<string, undefined>; chosen: Map<'a' | 'b', void>; pairs: Map<number, undefined>; keys: Map<undefined, 1>; empty: Map<number, never>; none: Map<never, 1>; set: Set<undefined>; record: Record<string, undefined>; list: undefined[] }",
    carries: [
      [
        {
          names: new Map([["x", undefined]]),
          chosen: new Map([["a", undefined]]),
          pairs: new Map([[1, undefined]]),
          keys: new Map([[undefined, 1]]),
          empty: new Map(),
          none: new Map(),
          set: new Set([undefined]),
          record: { x: undefined },
          list: [undefined],
        },
        {
          names: { x: null },
          chosen: { a: null },
          pairs: [[1, null]],
          keys: [[null, 1]],
          empty: [],
          none: [],
          set: [null],
          record: {},
          list: [null],
        },
      ],
    ],
  },
  {
    type: "{ dates: Set<Date | undefined>; pairs: Map<number, string | undefined> }",
    carries: [
      [
        { dates: new Set([new Date(0), new Date(0), undefined]), pairs: new Map([[1, undefined]]) },
        { dates: ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", null], pairs: [[1, null]] },
      ],
    ],
  },
  {
    type: "{ data: Uint8Array; list: (string | undefined)[]; by: Map<string, number | undefined> } | { id: string }",
    carries: [
      [
        { data: new Uint8Array([0]), list: ["x", undefined], by: new Map([["k", undefined]]) },
        { data: "AA==", list: ["x", null], by: { k: null } },
      ],
    ],
  },
  {
    type: "URL",
    carries: [
      ["https://[::1]:8080/a|b?q={x}[1]%#a#b", "https://[::1]:8080/a%7Cb?q=%7Bx%7D%5B1%5D%25#a%23b"],
      ["http://exämple.com/ü?%zz", "http://xn--exmple-cua.com/%C3%BC?%25zz"],
      ["urn:x:y[z]", "urn:x:y%5Bz%5D"],
      ["mailto:ada@example.com?subject=a b", "mailto:ada@example.com?subject=a%20b"],
    ].map(([href = "", json = ""]): [URL, string] => [new URL(href), json]),
  },
  {
    type: "RegExp",
    schema: { type: "string" },
    conversion: { kind: "regexp" },
    carries: [[new RegExp("\\-"), "\\-"]],
  },
  {
    type: "Part",
    declare: "type Part = string | Uint8Array | { parts: Part[] } | Set<Part>;",
    carries: [
      [new Uint8Array([0]), "AA=="],
      [
        { parts: ["plain", new Uint8Array([0]), new Set([new Uint8Array([1]), "more"])] },
        { parts: ["plain", "AA==", ["AQ==", "more"]] },
      ],
    ],
  },
  {
    type: "Record<`x-${string}`, number>",
    schema: { type: "object", properties: {}, additionalProperties: { type: "number" } },
    accepts: [{ "x-a": 1 }],
    rejects: [[], { "x-a": "1" }],
  },
  {
    type: "{ ok: true; rows: Record<number, string> } | { ok: false; rows: Record<`e${string}`, boolean> } | null",
    schema: {
      anyOf: [
        {
          type: "object",
          properties: {
            ok: { type: "boolean", enum: [true] },
            rows: { type: "object", properties: {}, additionalProperties: { type: "string" } },
          },
          required: ["ok", "rows"],
        },
        {
          type: "object",
          properties: {
            ok: { type: "boolean", enum: [false] },
            rows: { type: "object", properties: {}, additionalProperties: { type: "boolean" } },
          },
          required: ["ok", "rows"],
        },
        { type: "null" },
      ],
    },
    accepts: [{ ok: true, rows: { 7: "x" } }, { ok: false, rows: { e: true } }, null],
    rejects: [{ ok: true, rows: { 7: true } }],
  },
  // A value that fits both keeps the members of both.
  {
    type: "Record<number, number> | Record<`x${string}`, string>",
    schema: {
      anyOf: [
        { type: "object", properties: {}, additionalProperties: true },
        { type: "object", properties: {}, additionalProperties: true },
      ],
    },
    accepts: [{ 1: 1, x: "1" }],
  },
  // Inherited names are not listed, so they must be allowed as others.
  {
    type: "{ [key: `t${string}`]: string; valueOf?: number }",
    schema: { type: "object", properties: {}, additionalProperties: true },
    accepts: [{ to: "x", valueOf: 1 }],
  },
  {
    type: "typeof made",
    declare: 'const made = { id: "a", list: [1, 2], nested: { on: true } };',
    schema: {
      type: "object",
      properties: {
        id: { type: "string" },
        list: { type: "array", items: { type: "number" } },
        nested: { type: "object", properties: { on: { type: "boolean" } }, required: ["on"] },
      },
      required: ["id", "list", "nested"],
    },
    accepts: [{ id: "a", list: [], nested: { on: false } }],
    rejects: [{ id: "a", list: [], nested: {} }],
  },
];

const project = createTypeProject(
  Object.fromEntries(
    cases.map(({ declare, type }, index) => [
      `row-${index}`,
      `${declare ?? ""}\nexport type Row = ${type};\n`,
    ]),
  ),
);

it.each(cases.map((each, index) => ({ ...each, file: `row-${index}` })))(
  "the schema of a result accepts its JSON: $type",
  (each) => {
    const { derived, diagnostics } = project.type(each.file, "output");
    // A RegExp is sent without its flags, which has a warning.
    expect(diagnostics.filter(({ code }) => code !== "type-regexp-flags")).toEqual([]);
    if (each.schema) {
      expect(derived?.schema).toEqual(each.schema);
      expect(derived?.conversion).toEqual(each.conversion);
    }
    const accepts = createValidator(derived?.exact ?? derived?.schema ?? { not: {} });
    for (const value of each.accepts ?? []) expect(accepts(value), JSON.stringify(value)).toBe(true);
    for (const value of each.rejects ?? []) expect(accepts(value), JSON.stringify(value)).toBe(false);
    const write = createDataWriter(derived ?? {}, derived?.schema, toJson);
    for (const [value, json] of each.carries ?? []) {
      expect(JSON.parse(JSON.stringify(write(value))), JSON.stringify(json)).toEqual(json);
      expect(accepts(json), JSON.stringify(json)).toBe(true);
      for (const read of Object.values(READERS))
        expect(read(derived?.schema ?? { not: {} })(json)).toBe(true);
    }
  },
);

it("an optional element that is never undefined has no null in its schema", () => {
  const snippets = { row: "export type Row = [string, number?, (boolean | undefined)?];\n" };
  const { derived } = createTypeProject(snippets, { exactOptionalPropertyTypes: true }).type("row", "output");
  expect(derived?.schema.prefixItems).toEqual([
    { type: "string" },
    { type: "number" },
    { type: ["boolean", "null"] },
  ]);
});
