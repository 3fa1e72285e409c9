import { describe, expect, it } from "vitest";
import { createTypeProject } from "./type-project.js";

/** Types whose order in the checker depends on which one it visits first, in this program or another. */
const types: Record<string, string> = {
  literals: 'type Row = "zulu" | "alpha" | "mike";',
  "optional literals": 'type Row = { it?: "zulu" | "alpha" | "mike" | null };',
  "an alias": 'type Kind = "zulu" | "alpha";\ntype Row = { it?: Kind };',
  "keys of a record": 'type Row = Record<"zulu" | "alpha", string>;',
  "keys of a partial record": 'type Row = Partial<Record<"zulu" | "alpha", string>>;',
  "picked keys": 'interface Model { zulu: 1; mike: 2; alpha: 3 }\ntype Row = Pick<Model, "alpha" | "zulu">;',
  "omitted keys": 'interface Model { zulu: 1; mike: 2; alpha: 3 }\ntype Row = Omit<Model, "mike">;',
  "mapped keys": 'type Row = { [K in "zulu" | "alpha"]: K };',
  "renamed keys":
    "interface Model { zulu: 1; alpha: 2 }\ntype Row = { [K in keyof Model as `x${K}`]: Model[K] };",
  keyof: "interface Model { zulu: 1; alpha: 2 }\ntype Row = keyof Model;",
  "an enum": 'enum Kind { Z = "zulu", A = "alpha" }\ntype Row = Kind | null;',
  objects: 'type Row = { kind: "zulu"; z: 1 } | { kind: "alpha"; a: 2 };',
  interfaces: 'interface Zulu { kind: "zulu" }\ninterface Alpha { kind: "alpha" }\ntype Row = Zulu | Alpha;',
  "a template": 'type Row = `${"zulu" | "alpha"}-${string}`;',
  "a conditional":
    'type Keep<T> = T extends "mike" ? never : T;\ntype Row = Keep<"zulu" | "mike" | "alpha">;',
  numbers: "type Row = 30 | 10 | 20;",
};

const OTHER =
  'export const other: "alpha" | "mike" | "zulu" = "zulu";\nexport type Numbers = 10 | 20 | 30;\n' +
  'export type A = { kind: "alpha"; a: 2 }; export type B = { kind: "zulu"; z: 1 };\n' +
  "export type Texts = `alpha-${string}` | `zulu-${string}`;\n";

const snippets = Object.fromEntries(
  Object.entries(types).map(([, text], index) => [`row-${index}`, `${text}\nexport {};`]),
);
const alone = createTypeProject(snippets);
const together = createTypeProject({ "a-other": OTHER, ...snippets });

describe("the schema of a source is byte-for-byte stable", () => {
  it.each(Object.keys(types).map((title, index) => ({ title, file: `row-${index}` })))(
    "$title",
    ({ file }) => {
      together.errorLines("a-other");
      const expected = JSON.stringify(alone.type(file).derived);
      expect(JSON.stringify(together.type(file).derived)).toBe(expected);
    },
  );
});

it("a schema keeps the order of its source", () => {
  const index = Object.keys(types);
  const findSchema = (title: string): unknown => together.type(`row-${index.indexOf(title)}`).derived?.schema;
  expect(findSchema("literals")).toMatchObject({ enum: ["zulu", "alpha", "mike"] });
  expect(findSchema("optional literals")).toMatchObject({
    properties: { it: { enum: ["zulu", "alpha", "mike", null] } },
  });
  expect(Object.keys((findSchema("picked keys") as { properties: object }).properties)).toEqual([
    "zulu",
    "alpha",
  ]);
  expect(Object.keys((findSchema("keys of a record") as { properties: object }).properties)).toEqual([
    "zulu",
    "alpha",
  ]);
  expect(findSchema("numbers")).toMatchObject({ enum: [30, 10, 20] });
});

describe("the cache between derivations", () => {
  const project = createTypeProject({
    shared: `
      /** A person. */
      export interface Person { /** The name. */ name: string; born: Date; friend?: Person }
      export interface Address { street: string; kind: any }
      export type Row = { it: Address };`,
    methods: `
      import type { Person, Address } from "./shared.js";
      interface Options { limit?: number; page?: { size?: number } }
      export class Tools {
        one(person: Person, other: string) { return [person, other]; }
        two(person: Person, other: string) { return [person, other]; }
        plain(options: Options) { return options; }
        taken({ limit = 5, page: { size = 3 } = {} }: Options) { return [limit, size]; }
        again(options: Options) { return options; }
        warned(address: Address, other: string) { return [address, other]; }
        rewarned(address: Address, other: string) { return [address, other]; }
      }`,
  });

  it("does not change the result of a derivation", () => {
    const [one, two] = [project.method("methods", "one"), project.method("methods", "two")];
    expect(two.derived).toEqual(one.derived);
    expect(one.derived?.conversions).toHaveProperty("Person");
  });

  it("keeps the defaults of handlers separate", () => {
    const plain = project.method("methods", "plain").derived?.schema;
    const taken = project.method("methods", "taken").derived?.schema;
    expect(taken?.properties?.limit).toEqual({ type: "number", default: 5 });
    expect(plain?.properties?.limit).toEqual({ type: "number" });
    expect(project.method("methods", "again").derived?.schema).toEqual(plain);
  });

  it("repeats every warning", () => {
    const codes = (method: string): string[] =>
      project.method("methods", method).diagnostics.map(({ code }) => code);
    expect(codes("warned")).toEqual(["type-any"]);
    expect(codes("rewarned")).toEqual(["type-any"]);
  });
});

describe("compiler options", () => {
  const snippets = {
    optional:
      "export type Row = { a?: string; b?: string | undefined; c: string | undefined; d: string | null };",
    tuple: "export type Row = [string, number?];",
  };
  const options = [
    {},
    { exactOptionalPropertyTypes: true },
    { noUncheckedIndexedAccess: true },
    { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ];

  it.each(options)("do not change schemas: %o", (each) => {
    const project = createTypeProject(snippets, each);
    expect(project.type("optional").derived?.schema).toEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "string" },
        c: { type: "string" },
        d: { type: ["string", "null"] },
      },
      required: ["d"],
      additionalProperties: false,
    });
    expect(project.type("tuple").derived?.schema).toMatchObject({ minItems: 1, maxItems: 2 });
  });
});
