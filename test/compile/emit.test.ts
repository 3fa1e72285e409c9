import { compile, type FileTree } from "@tenon/compiler";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: the code for any schema, without a project for each.
import { createValidatorCompiler } from "../../packages/compiler/src/emit/validators/validator-code.js";
import { createValidatorModules } from "../../packages/compiler/src/emit/validators/validator-modules.js";
import { compiledValidator } from "../support/compiled-validator.js";
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

describe("the files of a project that stays loaded", () => {
  let project: ScratchProject;
  beforeAll(() => {
    project = createScratchProject("emit");
  });
  afterAll(() => project.remove());

  it("equal those of a freshly loaded project, after every edit", async () => {
    const seen = new Set<string>();
    for (const sky of ["rain", "snow", "rain"]) {
      const warm = contents(await project.compile(sources(sky)).emit?.());
      const cold = contents(await compile({ root: project.root }).emit?.());
      expect(warm).toEqual(cold);
      const validators = Object.keys(warm).find((name) => name.startsWith("validators-"));
      expect(validators).toBeDefined();
      seen.add(String(validators));
    }
    expect(seen.size).toBe(2);
  });
});

describe("the features of an emitted server", () => {
  const tools = `@Tool() add(a: number): number { return a; }`;
  it.each([
    ["tools", tools, undefined],
    ["a context", `@Tool() ask(ctx: Context): string { return ctx.revision; }`, "context"],
    ["a prompt", `@Prompt() plan(): string { return ""; }`, "completion, prompts"],
    ["a date", `@Tool() on(day: Date): string { return day.toISOString(); }`, "conversions"],
    ["data with a set", `@Tool() tags(): Set<string> { return new Set(); }`, "conversions"],
    ["behavior", `@Tool({ enabled: () => true }) add(a: number): number { return a; }`, "subscriptions"],
    ["a resource", `@Resource("note://one") note(): string { return ""; }`, "resources, subscriptions"],
    [
      "a template",
      `@Resource("note://{id}") note(id: string): string { return id; }`,
      "completion, resources, subscriptions",
    ],
    ["a task", `@Tool({ task: "optional" }) work(): string { return ""; }`, "subscriptions, tasks"],
    ["a secret", `/** @param pin @secret */ @Tool() open(pin: string): string { return ""; }`, "secrets"],
    ["options", tools, "configuration, resultLimits, subscriptions", '{ unknownArguments: "ignore" }'],
    [
      "authorization, whose tokens may be exchanged",
      tools,
      "configuration, resultLimits, secrets, subscriptions",
      '{ auth: apiKeys({ ada: process.env.KEY ?? "" }) }',
    ],
  ])("are only those that it needs: %s", async (_name, member, features, config?: string) => {
    const project = createScratchProject("features");
    const source = `import { type Context, Prompt, Resource, Tool } from "@tenon/runtime";\nexport class A { ${member} }`;
    const server = `import { defineServer } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
export default defineServer(${config});`;
    const files = { "src/a.ts": source, ...(config !== undefined && { "src/server.ts": server }) };
    const app = String(contents(await project.compile(files).emit?.())["application.js"]);
    project.remove();
    expect(/import \{ (.*) \} from "@tenon\/runtime\/features"/.exec(app)?.[1]).toBe(features);
    expect(/features: \[(.*)\]/.exec(app)?.[1]).toBe(features);
  });
});

describe("the output of server.js --version", () => {
  it.each([
    ["the version in package.json", undefined, '{"name":"emitted","version":"2.0.0"}'],
    ["the version in the configuration", `{ version: "3.0.0" }`, '{"name":"emitted","version":"3.0.0"}'],
    [
      "undefined if the version is known only at run time",
      `{ version: process.env.VERSION ?? "4" }`,
      "undefined",
    ],
    ["undefined if a spread may contain the version", `{ ...named }`, "undefined"],
  ])("is %s", async (_, config, version) => {
    const project = createScratchProject("identity");
    const files = await project
      .compile({
        "package.json": '{ "name": "emitted", "version": "2.0.0", "type": "module" }',
        "src/a.ts": `import { Tool } from "@tenon/runtime";\nexport class A { @Tool() go(): string { return ""; } }`,
        ...(config && {
          "src/server.ts": `import { defineServer } from "@tenon/runtime";
            const named = { version: process.env.VERSION ?? "4" };
            export default defineServer(${config});`,
        }),
      })
      .emit?.();
    project.remove();
    expect(contents(files)["server.js"]).toContain(`readCommandLine(process.argv.slice(2), ${version});`);
  });
});

function createManifest(...schemas: JsonSchema[]): Manifest {
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

  it("do not depend on the cache, and do not contain removed entries", () => {
    const cache = new Map<string, string>();
    createValidatorModules(createManifest(text, day), cache);
    expect(cache.size).toBe(2);
    expect(createValidatorModules(createManifest(day), cache)).toEqual(
      createValidatorModules(createManifest(day)),
    );
    expect(cache.size).toBe(1);
  });

  it("are compiled only if they are new", () => {
    const cache = new Map<string, string>();
    createValidatorModules(createManifest(text), cache);
    const [known] = cache.values();
    createValidatorModules(createManifest(day, text), cache);
    expect([...cache.values()][1]).toBe(known);
  });

  it("share a function between schemas that differ only in descriptions", () => {
    const cache = new Map<string, string>();
    const described = member({ type: "string", minLength: 2, description: "A name", examples: ["Ada"] });
    createValidatorModules(createManifest(text, { ...described, title: "Named" }), cache);
    expect(cache.size).toBe(1);
    const named = { type: "object" as const, properties: { description: { type: "number" as const } } };
    createValidatorModules(createManifest({ type: "object" }, named), cache);
    expect(cache.size).toBe(2);
  });
});

describe("the code of one validator", () => {
  it("returns a boolean, and leaves explanations to the runtime", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { city: { type: "string", minLength: 1 }, days: { type: "integer", default: 3 } },
      required: ["city"],
      additionalProperties: false,
    };
    const validate = compiledValidator(schema);
    const filled = { city: "Oslo" };
    expect(validate(filled)).toBe(true);
    expect(filled).toEqual({ city: "Oslo", days: 3 });
    expect(validate({ city: "", days: 0.5, extra: true })).toBe(false);
    expect(createValidatorCompiler()(JSON.stringify(schema))).not.toMatch(/keyword:|message:|params:/);
  });

  it("distinguishes many members by their whole names", () => {
    const names = ["city", "constructor", ...Array.from({ length: 10 }, (_, index) => `m${index}`)];
    const properties = Object.fromEntries(
      names.map((name): [string, JsonSchema] => [name, { type: "string" }]),
    );
    const validate = compiledValidator({ type: "object", properties, additionalProperties: false });
    for (const name of names) expect(validate({ [name]: "x" })).toBe(true);
    for (const name of ["c", "m", "city,constructor", "toString"])
      expect(validate({ [name]: "x" })).toBe(false);
    expect(validate(JSON.parse('{"__proto__":"x"}'))).toBe(false);
  });

  it("contains strings verbatim", () => {
    const texts = [
      'validate1(data, {instancePath:"",dynamicAnchors})',
      "let vErrors = null;\n",
      "\nerrors++;\n",
    ];
    const validate = compiledValidator(
      member({ enum: [...texts, { __proto__: 1, vErrors: texts[0] ?? "" }] }),
    );
    for (const text of texts) expect(validate({ value: text })).toBe(true);
    expect(validate({ value: "errors++;" })).toBe(false);
  });

  it("decides whether a number is a multiple based on decimal digits", () => {
    const check = (multipleOf: number, value: number): boolean =>
      compiledValidator(member({ type: "number", multipleOf }))({ value });
    const multiples: [factor: number, value: number][] = [
      ...[19.99, 0.07, 4.35, -0.29, 123_456_789.01, 0, 1e15].map(
        (value) => [0.01, value] as [number, number],
      ),
      ...[0.3, 0.7, 1.1, 1e21].map((value) => [0.1, value] as [number, number]),
      [0.3, 0.9],
      [1e-7, 3e-7],
      [2.5, 1e308],
    ];
    for (const [factor, value] of multiples)
      expect([factor, value, check(factor, value)]).toEqual([factor, value, true]);
    const others: [factor: number, value: number][] = [
      [0.01, 1.005],
      [0.1, 0.35],
      [0.3, 1],
      [5, 7],
      [2, 1e-7],
      [0.1, 0.30000000000000004],
    ];
    for (const [factor, value] of others)
      expect([factor, value, check(factor, value)]).toEqual([factor, value, false]);
  });

  it("validates items after a tuple", () => {
    const tuple = { type: "array" as const, prefixItems: [{}, {}, { type: "string" as const }] };
    expect(compiledValidator(member({ ...tuple, uniqueItems: true }))({ value: [1, 1] })).toBe(false);
    const contains = { type: "string" };
    expect(compiledValidator(member({ ...tuple, contains }))({ value: [] })).toBe(false);
    expect(compiledValidator(member({ ...tuple, contains }))({ value: ["a"] })).toBe(true);
  });

  it("follows every kind of reference", () => {
    const number: JsonSchema = { type: "number" };
    const cases: [reference: JsonSchema, definition: JsonSchema][] = [
      [{ $ref: "#/$defs/N" }, number],
      [{ $ref: "#n" }, { $anchor: "n", ...number }],
      [{ $dynamicRef: "#n" }, { $dynamicAnchor: "n", ...number }],
      [{ $ref: "https://example.com/n" }, { $id: "https://example.com/n", ...number }],
      [{ $ref: "#/$defs/N/properties/a~1b" }, { properties: { "a/b": number } }],
      [{ allOf: [{ $ref: "#/$defs/N" }] }, number],
      [{ $ref: "https://example.com/root#/$defs/N" }, number],
    ];
    for (const [reference, definition] of cases) {
      const $id = "https://example.com/root";
      const validate = compiledValidator({ $id, ...member(reference), $defs: { N: definition } });
      expect([validate({ value: 1 }), validate({ value: "1" })], JSON.stringify(reference)).toEqual([
        true,
        false,
      ]);
    }
    const schemas = compiledValidator(member({ $ref: "https://json-schema.org/draft/2020-12/schema" }));
    expect([schemas({ value: { type: "string" } }), schemas({ value: { type: "text" } })]).toEqual([
      true,
      false,
    ]);
  });

  it("tracks which members other keywords evaluated", () => {
    const validate = compiledValidator({
      type: "object",
      allOf: [{ properties: { a: { type: "string" } } }],
      unevaluatedProperties: false,
    } as JsonSchema);
    expect(validate({ a: "a" })).toBe(true);
    expect(validate({ a: "a", b: "b" })).toBe(false);
  });
});

describe("the declarations of the configuration's exports", () => {
  it("are next to app.d.ts, with those of the files they name", async () => {
    const project = createScratchProject("declarations", {
      module: "esnext",
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      paths: { "@rows/*": ["./src/store/*.ts"] },
    });
    const { emit, diagnostics } = project.compile({
      "src/tools.ts": `import { Tool } from "@tenon/runtime"; export class A { /** Go. */ @Tool() go(): number { return 1; } }`,
      "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { openDatabase } from "./store";
export * as rows from "./store/row.ts";
export const database = openDatabase();
export const unsaid = (a: import("./store").Database) => a.rows;
export default defineServer({});
`,
      "src/store/index.ts": `import type { Row } from "@rows/row";
import { secret } from "./secret";
export interface Database { rows: Row[] }
export const openDatabase = (): Database => ({ rows: [{ id: secret }] });
`,
      "src/store/row.ts": `export interface Row { id: number }\n`,
      "src/store/secret.ts": `export const secret = 1;\n`,
    });
    expect(diagnostics).toEqual([]);
    const files = [...((await emit?.()) ?? [])].filter(([path]) => path.endsWith(".d.ts"));
    project.remove();
    expect(files.map(([path, text]) => `// ${path}\n${String(text)}`).join("\n")).toMatchInlineSnapshot(`
      "// app.d.ts
      import type { Server } from "@tenon/runtime/server";
      export * from "./types/src/server.js";

      export declare const server: Server;

      // types/src/server.d.ts
      export * as rows from "./store/row.js";
      export declare const database: import("./store/index.js").Database;
      export declare const unsaid: (a: import("./store/index.js").Database) => import("./store/row.js").Row[];
      declare const _default: import("@tenon/runtime").ServerConfig;
      export default _default;

      // types/src/store/row.d.ts
      export interface Row {
          id: number;
      }

      // types/src/store/index.d.ts
      import type { Row } from "./row.js";
      export interface Database {
          rows: Row[];
      }
      export declare const openDatabase: () => Database;
      "
    `);
  });
});
