import { compile, type FileTree } from "@tenon/compiler";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import type { Validator } from "@tenon/runtime/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validatorCode } from "../../packages/compiler/src/emit/validators/validator-code.js";
import {
  createValidatorMemory,
  validatorModules,
} from "../../packages/compiler/src/emit/validators/validators.js";
import {
  equal,
  formats,
  ucs2length,
  uniqueItems,
} from "../../packages/runtime/src/validation/compiled-validators.js";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

/** A project in which one union's last member can be changed, and much else stays. */
function sources(sky: string): Record<string, string> {
  return {
    "src/weather.ts": `
      import { Tool } from "@tenon/runtime";
      interface Place { name: string; within?: Place; tags: Set<string> }
      export class Weather {
        /** Look. @param sky The sky */
        @Tool() look(sky: "clear" | "${sky}", place: Place): { sky: string } { return { sky: sky + place.name }; }
        @Tool() count(/** @minimum 1 */ days: number): { days: number } { return { days }; }
      }`,
    "src/more.ts": `
      import { Prompt, Resource } from "@tenon/runtime";
      export class More {
        @Prompt() plan(city: string, days?: number) { return city + days; }
        @Resource("year://{year}") year(year: number): string { return String(year); }
      }`,
  };
}

function contents(files: FileTree | undefined): Record<string, string | Uint8Array> {
  return Object.fromEntries(files ?? []);
}

describe("files of a project that stays loaded", () => {
  let project: ScratchProject;
  beforeAll(() => {
    project = createScratchProject("emit");
  });
  afterAll(() => project.remove());

  it("are the same bytes as those of a project loaded afresh, after every edit", async () => {
    const seen = new Set<string>();
    for (const sky of ["rain", "snow", "rain"]) {
      const warm = contents(await project.compile(sources(sky)).emit?.());
      const cold = contents(await compile({ root: project.root }).emit?.());
      expect(warm).toEqual(cold);
      expect(Object.keys(warm)).toContain("validators.js");
      seen.add(String(warm["validators.js"]));
    }
    expect(seen.size).toBe(2);
  });
});

function serving(...schemas: JsonSchema[]): Manifest {
  return {
    manifestVersion: 1,
    server: { name: "schemas", version: "1.0.0" },
    tools: schemas.map((schema, index) => ({
      definition: { name: `tool-${index}`, inputSchema: schema as { type: "object" } },
      handler: { module: "src/a.ts", export: "A", method: "call", parameters: [] },
      input: {},
      output: { kind: "none" as const },
    })),
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
}

function member(schema: JsonSchema): JsonSchema {
  return { type: "object", properties: { value: schema } };
}

describe("the validators of a manifest", () => {
  const text = member({ type: "string", minLength: 2 });
  const day = member({ type: "string", format: "date" });

  it("do not depend on what is cached, nor keep what is gone", () => {
    const memory = createValidatorMemory();
    validatorModules(serving(text, day), memory);
    expect(memory.codes.size).toBe(2);
    expect(validatorModules(serving(day), memory)).toEqual(validatorModules(serving(day)));
    expect(memory.codes.size).toBe(1);
  });

  it("compiles only what is new", () => {
    const memory = createValidatorMemory();
    validatorModules(serving(text), memory);
    const [known] = memory.codes.values();
    validatorModules(serving(day, text), memory);
    expect([...memory.codes.values()][1]).toBe(known);
  });

  it("shares a function between schemas that differ only in descriptions", () => {
    const memory = createValidatorMemory();
    const described = member({ type: "string", minLength: 2, description: "A name", examples: ["Ada"] });
    validatorModules(serving(text, { ...described, title: "Named" }), memory);
    expect(memory.codes.size).toBe(1);
    const named = { type: "object" as const, properties: { description: { type: "number" as const } } };
    validatorModules(serving({ type: "object" }, named), memory);
    expect(memory.codes.size).toBe(2);
  });
});

const runtime = new Map<string, unknown>(Object.entries({ equal, formats, ucs2length, uniqueItems }));

/** What the code of a validator evaluates to, with the runtime's own functions. */
function evaluated(schema: JsonSchema): Validator {
  const { body, imports } = validatorCode(JSON.stringify(schema));
  const functions = imports.map((name) => runtime.get(name));
  return new Function(...imports, body)(...functions) as Validator;
}

describe("the code of one validator", () => {
  it("returns a boolean, and leaves the problems to the runtime", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { city: { type: "string", minLength: 1 }, days: { type: "integer", default: 3 } },
      required: ["city"],
      additionalProperties: false,
    };
    const validate = evaluated(schema);
    const filled = { city: "Oslo" };
    expect(validate(filled)).toBe(true);
    expect(filled).toEqual({ city: "Oslo", days: 3 });
    expect(validate({ city: "", days: 0.5, extra: true })).toBe(false);
    expect(validate.errors).toBeUndefined();
    expect(validatorCode(JSON.stringify(schema)).body).not.toMatch(/vErrors|schema/);
  });

  it("reports every problem itself where the runtime does not know a keyword", () => {
    const validate = evaluated({
      ...member({ type: "integer", minimum: 1 }),
      propertyNames: { maxLength: 9 },
    });
    expect(validate({ value: 0.5, extraordinary: true })).toBe(false);
    expect(validate.errors?.map(({ keyword, params }) => ({ keyword, ...params }))).toEqual([
      { keyword: "maxLength", limit: 9 },
      { keyword: "propertyNames", propertyName: "extraordinary" },
      { keyword: "type", type: "integer" },
      { keyword: "minimum", comparison: ">=", limit: 1 },
    ]);
    expect(validate({ value: 1 })).toBe(true);
    expect(validate.errors).toBeNull();
  });

  it("knows each of many members by its whole name", () => {
    const names = ["city", "constructor", ...Array.from({ length: 10 }, (_, index) => `m${index}`)];
    const properties = Object.fromEntries(
      names.map((name): [string, JsonSchema] => [name, { type: "string" }]),
    );
    const validate = evaluated({ type: "object", properties, additionalProperties: false });
    for (const name of names) expect(validate({ [name]: "x" })).toBe(true);
    for (const name of ["c", "m", "city,constructor", "toString"])
      expect(validate({ [name]: "x" })).toBe(false);
    expect(validate(JSON.parse('{"__proto__":"x"}'))).toBe(false);
  });

  it("holds strings verbatim, whatever they contain", () => {
    const texts = [
      'validate1(data, {instancePath:"",dynamicAnchors})',
      "let vErrors = null;\n",
      "\nerrors++;\n",
    ];
    const validate = evaluated(member({ enum: [...texts, { __proto__: 1, vErrors: texts[0] ?? "" }] }));
    for (const text of texts) expect(validate({ value: text })).toBe(true);
    expect(validate({ value: "errors++;" })).toBe(false);
  });

  it("has ajv's message where the runtime has none of its own", () => {
    const validate = evaluated(member({ not: { type: "string" } }));
    expect(validate({ value: "text" })).toBe(false);
    expect(validate.errors?.map(({ message }) => message)).toContain("must NOT be valid");
  });

  it("knows what other keywords have evaluated", () => {
    const validate = evaluated({
      type: "object",
      allOf: [{ properties: { a: { type: "string" } } }],
      unevaluatedProperties: false,
    } as JsonSchema);
    expect(validate({ a: "a" })).toBe(true);
    expect(validate({ a: "a", b: "b" })).toBe(false);
  });
});
