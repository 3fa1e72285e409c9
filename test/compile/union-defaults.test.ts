import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
// Internal: the validator of any type, without a project for each.
import { fillUnionDefaults } from "../../packages/compiler/src/emit/validators/union-defaults.js";
import { compiledValidator } from "../support/compiled-validator.js";
import { createTypeProject } from "./type-project.js";

const DECLARATIONS = `
interface Page { /** @default 5 */ size?: number; query?: string }
type Shape = { kind: "a"; /** @default 1 */ n?: number } | { kind: "b"; /** @default 2 */ n?: number };
type Tree = { leaf: true; /** @default 1 */ weight?: number } | { kids: Tree[]; /** @default 9 */ depth?: number };
interface List { of: number; next?: List | null; /** @default "-" */ mark?: string }
/** @default 5 */ type Five = number;
`;

/** A type, a value, and the value that its method receives. */
const CASES: [type: string, given: unknown, received: unknown][] = [
  ["Page | null", {}, { size: 5 }],
  ["Page | null", { size: 1 }, { size: 1 }],
  ["Page | null", null, null],
  ["Page | undefined", {}, { size: 5 }],
  ["Page | string", {}, { size: 5 }],
  ["Page | string", "x", "x"],
  ["Page | { x: string }", { x: "a" }, { x: "a" }],
  ["Page | { x: string }", { query: "a" }, { query: "a", size: 5 }],
  ["Shape", { kind: "a" }, { kind: "a", n: 1 }],
  ["Shape", { kind: "b" }, { kind: "b", n: 2 }],
  ["Shape & { more: number }", { kind: "b", more: 1 }, { kind: "b", more: 1, n: 2 }],
  ["{ inner: Shape } | null", { inner: { kind: "b" } }, { inner: { kind: "b", n: 2 } }],
  [
    "{ inner: Shape | null; of: 1 } | { of: 2 }",
    { inner: { kind: "a" }, of: 1 },
    { inner: { kind: "a", n: 1 }, of: 1 },
  ],
  ["(Page | null)[]", [{}, null], [{ size: 5 }, null]],
  ["[Page | null, ...(Shape | null)[]]", [{}, { kind: "a" }], [{ size: 5 }, { kind: "a", n: 1 }]],
  ["Record<string, Page | null>", { a: {}, b: null }, { a: { size: 5 }, b: null }],
  ["Page[] | Shape[]", [{ kind: "b" }], [{ kind: "b", n: 2 }]],
  [
    "Tree",
    { kids: [{ leaf: true }, { kids: [] }] },
    {
      kids: [
        { leaf: true, weight: 1 },
        { kids: [], depth: 9 },
      ],
      depth: 9,
    },
  ],
  [
    "List",
    { of: 1, next: { of: 2, next: null } },
    { of: 1, mark: "-", next: { of: 2, mark: "-", next: null } },
  ],
  ["Partial<Page> | null", {}, { size: 5 }],
  ["{ five?: Five | null }", {}, { five: 5 }],
  ["{ five?: Five | { x: 1 } }", {}, { five: 5 }],
  ["{ five?: Five | string[] }", { five: ["a"] }, { five: ["a"] }],
  ["{ /** @default {} */ page?: Page } | null", {}, { page: { size: 5 } }],
];

describe("a listed default is filled in for", () => {
  const project = createTypeProject(
    Object.fromEntries(
      CASES.map(([type], index) => [
        `case-${index}`,
        `${DECLARATIONS}\nexport type Row = { value: ${type} };`,
      ]),
    ),
  );

  test.each(CASES.map(([type, given, received], index) => [type, given, received, index] as const))(
    "%s: %j",
    (_type, given, received, index) => {
      const { derived, diagnostics } = project.type(`case-${index}`);
      expect(diagnostics).toEqual([]);
      const schema = derived?.exact ?? derived?.schema ?? {};
      const value = { value: structuredClone(given) };
      expect(compiledValidator(fillUnionDefaults(schema))(value)).toBe(true);
      expect(value).toEqual({ value: received });
    },
  );
});

describe("in a schema that an author wrote, a default is filled in", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    [
      "for an alternative of oneOf",
      { oneOf: [{ type: "object", properties: { a: { default: 1 } } }, { type: "string" }] as never },
      {},
      { a: 1 },
    ],
    [
      "for a definition in `definitions`",
      {
        anyOf: [{ $ref: "#/definitions/Page" }, { type: "null" }],
        definitions: { Page: { type: "object", properties: { a: { type: "number", default: 1 } } } },
      } as JsonSchema,
      {},
      { a: 1 },
    ],
    [
      "where the whole schema refers to itself",
      { type: "object", properties: { a: { default: 1 }, of: { anyOf: [{ $ref: "#" }, { type: "null" }] } } },
      { of: { of: null } },
      { a: 1, of: { a: 1, of: null } },
    ],
    [
      "if it depends on a condition",
      {
        anyOf: [{ type: "object", properties: { kind: { const: "b" }, n: { default: 1 } } }],
        if: { properties: { kind: { const: "a" } } },
        // oxlint-disable-next-line no-thenable -- a keyword
        then: { properties: { x: { default: 1 } } },
        else: { properties: { y: { default: 2 } } },
      } as JsonSchema,
      { kind: "b" },
      { kind: "b", n: 1, y: 2 },
    ],
    [
      "although unevaluated members are rejected",
      {
        anyOf: [{ type: "object", properties: { a: { default: 1 } } }, { type: "null" }],
        unevaluatedProperties: false,
      } as JsonSchema,
      {},
      { a: 1 },
    ],
  ])("%s", (_, schema, given, received) => {
    const value = structuredClone(given);
    expect(compiledValidator(fillUnionDefaults(schema))(value)).toBe(true);
    expect(value).toEqual(received);
  });
});

test("a schema without a default in a union is unchanged", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { a: { type: "number", default: 1 }, b: { anyOf: [{ type: "array" }, { type: "null" }] } },
  };
  expect(fillUnionDefaults(schema)).toBe(schema);
});

test("a definition that many alternatives refer to is searched once for defaults", () => {
  let reads = 0;
  const shared: JsonSchema = {
    type: "object",
    get properties() {
      reads++;
      return { name: { type: "string" as const } };
    },
  };
  const document: JsonSchema = {
    anyOf: Array.from({ length: 100 }, () => ({ $ref: "#/$defs/Shared" })),
    $defs: { Shared: shared },
  };
  expect(fillUnionDefaults(document)).toBe(document);
  expect(reads).toBeLessThan(10);
});
