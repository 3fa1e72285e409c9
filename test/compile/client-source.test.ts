/** Typed clients for lists of any kind: the generated source compiles, and its types match the schemas. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generateClientSource, type ServerLists } from "@tenon/compiler";
import { type JsonSchema, type Tool, wrapSchema } from "@tenon/runtime/manifest";
// Internal: fingerprints are part of the generated source, and are computed again here.
import { createToolRow } from "../../packages/compiler/src/write/tool-rows.js";
import { createFingerprint } from "../../packages/compiler/src/write/tool-fingerprint.js";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-client-"));
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true }));

const STRICTEST = {
  target: "es2022",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
};

/** Returns the errors that TypeScript reports for a client and the code that uses it. */
function problems(source: string, use: string): string[] {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: STRICTEST }));
  writeFileSync(join(folder, "client.ts"), source);
  writeFileSync(join(folder, "use.ts"), use);
  const tsc = join(folder, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout
    .split("\n")
    .filter((line) => /^\S/.test(line))
    .map((line) => line.replace(/\((\d+),\d+\)/, ":$1"));
}

const tool = (name: string, input: JsonSchema = {}, output?: JsonSchema): Tool => ({
  name,
  inputSchema: { type: "object", ...input } as Tool["inputSchema"],
  ...(output && { outputSchema: output }),
});

const LISTS: ServerLists = {
  tools: [
    {
      ...tool(
        "search",
        {
          properties: {
            query: { type: "string", description: "Search terms" },
            limit: { type: "integer", minimum: 1, default: 10 },
            filter: { $ref: "#/$defs/Filter" },
          },
          required: ["query"],
          $defs: {
            Filter: {
              type: "object",
              properties: { and: { type: "array", items: { $ref: "#/$defs/Filter" } } },
            },
          },
        },
        {
          type: "object",
          properties: {
            found: {
              type: "array",
              items: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
            },
          },
          required: ["found"],
        },
      ),
      description: "Searches. /* Ends here: */ not quite.",
    },
    tool("list", {}, { type: "array", items: { type: "object", properties: { id: { type: "number" } } } }),
    tool("choice", {
      anyOf: [
        { properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "number" } } },
      ],
    }),
    tool("open", {
      properties: { id: { type: "string" }, n: { type: "number" } },
      additionalProperties: { type: "boolean" },
    }),
    tool("anything", { additionalProperties: true }, { anyOf: [{ type: "string" }, { type: "null" }] }),
    ...[
      "new",
      "constructor",
      "__proto__",
      "get",
      "then",
      "with-dash",
      "ünïcode",
      'a"b\\c',
      "*/",
      "promise",
      "record",
      "client",
    ].map((name) => tool(name, { properties: { x: { type: "string" }, "y-z": { enum: ["a", 1, null] } } })),
    tool("error", {
      properties: { error: { $ref: "#/$defs/Error" } },
      $defs: { Error: { type: "object", properties: {} } },
    }),
  ],
  prompts: [
    { name: "plan", arguments: [{ name: "city", required: true }, { name: "max-days" }] },
    { name: "none" },
  ],
  resources: [
    { uri: "a://one", name: "same" },
    { uri: "a://only", name: "only" },
  ],
  resourceTemplates: [{ uriTemplate: "a://{id}/{+path}{?page,size}", name: "same" }],
};

test("the generated client of any lists compiles under the strictest options", () => {
  const source = generateClientSource(LISTS, { name: "odd */ name", version: "1.0.0", era: "legacy" });
  expect(source).toMatchSnapshot();
  const use = `
    import { connect, type Content } from "./client.js";
    const { tools, prompts, resources } = await connect("http://127.0.0.1:3000/mcp");
    const { found } = await tools.search({ query: "tea", filter: { and: [{}] } });
    found[0]?.id.toFixed();
    const items: { id?: number }[] = await tools.list();
    const content: Content = await tools["with-dash"]({ x: items.join(), "y-z": 1 });
    await tools.choice({ a: "x" });
    await tools.open({ id: "x", other: true });
    const text: string | null = await tools.anything({ whatever: content });
    await tools.new();
    await tools.get({}, { timeout: 5 });
    await prompts.plan({ city: text ?? "", "max-days": "3" });
    await prompts.none();
    await resources.only();
    await resources["a://{id}/{+path}{?page,size}"]({ id: "1", path: "a/b" });
  `;
  expect(problems(source, use)).toEqual([]);
});

test("a call that the server would reject does not compile", () => {
  const source = generateClientSource(LISTS, {
    name: "odd",
    version: "1.0.0",
    era: "modern",
    url: "https://a.example/mcp",
  });
  const wrong = [
    `await tools.search({});`,
    `await tools.search({ query: 1 });`,
    `await tools.search({ query: "x", limitt: 1 });`,
    `(await tools.search({ query: "x" })).found[0]?.name;`,
    `await tools.list({ id: 1 });`,
    `await tools.none();`,
    `await prompts.plan({});`,
    `await resources["a://{id}/{+path}{?page,size}"]({ id: "1" });`,
  ];
  const use = `import { connect } from "./client.js";\nconst { tools, prompts, resources } = await connect();\n${wrong.join("\n")}\n`;
  const lines = problems(source, use).map((each) => each.replace(/: .*/, ""));
  expect([...new Set(lines)]).toEqual(wrong.map((_, index) => `use.ts:${index + 3}`));
});

test("a fingerprint does not depend on the order of members, and differs between schemas", () => {
  const [first, second] = [
    { type: "object", properties: { a: { type: "string" }, b: {} } },
    { properties: { b: {}, a: { type: "string" } }, type: "object" },
  ];
  const made = createFingerprint(first);
  expect(createFingerprint(second)).toBe(made);
  expect(createFingerprint({ ...first, title: undefined })).toBe(made);
  expect(createFingerprint({ ...first, required: ["a"] })).not.toBe(made);
  expect(createFingerprint({ type: "object", properties: {} })).toBe("21c3rptmm6j");
});

test("a fingerprint does not depend on documentation, but on members and values with the same names", () => {
  const plain = createFingerprint({ type: "object", properties: { a: { type: "string" }, title: {} } });
  const documented = { type: "string", title: "A", description: "The a.", examples: ["x"], deprecated: true };
  const schema = { type: "object", description: "All.", properties: { a: documented, title: {} } };
  expect(createFingerprint(schema)).toBe(plain);
  expect(createFingerprint({ type: "object", properties: { a: { type: "string" } } })).not.toBe(plain);
  const values = [{ description: "x" }, { description: "y" }];
  for (const keyword of ["const", "default"])
    expect(new Set(values.map((each) => createFingerprint({ [keyword]: each }))).size).toBe(2);
  expect(new Set(values.map((each) => createFingerprint({ enum: [each] }))).size).toBe(2);
});

test("the fingerprints of a result are the same in every revision that has output schemas", () => {
  const tree: JsonSchema = {
    anyOf: [{ $ref: "#/$defs/Tree" }, { type: "null" }],
    description: "Perhaps a tree.",
    $defs: {
      Tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Tree" } } } },
    },
  };
  const list: JsonSchema = { type: "array", items: { anyOf: [{ type: "number" }, { $ref: "#" }] } };
  for (const schema of [tree, list, { type: "number" as const }, {}]) {
    const [modern, legacy] = [schema, wrapSchema(schema)].map(
      (output) => createToolRow(tool("a", {}, output)).results,
    );
    expect(modern).toHaveLength(2);
    expect(legacy).toEqual(modern);
  }
  const own: JsonSchema = { type: "object", properties: { result: { type: "number" }, more: {} } };
  expect(createToolRow(tool("a", {}, own)).results).toHaveLength(1);
});

test("a prompt's argument has its choices as its type, or is a string", () => {
  const prompts = [{ name: "plan", arguments: [{ name: "mood", required: true }, { name: "city" }] }];
  const choices = new Map([["plan", { mood: { values: ["calm", 'very "busy"'], isSuggested: true } }]]);
  const source = generateClientSource(
    { ...LISTS, tools: [], prompts, choices },
    { name: "p", version: "1", era: "modern" },
  );
  const use = (mood: string): string =>
    `import { connect } from "./client.js";\nconst { prompts } = await connect("http://127.0.0.1:3000/mcp");\nawait prompts.plan({ mood: ${mood}, city: "x" });\n`;
  expect(problems(source, use("'very \"busy\"'"))).toEqual([]);
  expect(problems(source, use('"busy"'))).toHaveLength(1);
});

test("the package contains the source that it writes into clients", () => {
  const folder = resolve(import.meta.dirname, "../../packages/compiler");
  const { files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { files: string[] };
  expect(files).toEqual(
    expect.arrayContaining(["src/write/tool-fingerprint.ts", "src/write/uri-expansion.ts"]),
  );
});

test("editors strike through what a description calls deprecated", () => {
  const tool = (name: string, description: string): Tool => ({
    name,
    description,
    inputSchema: { type: "object" },
  });
  const lists = {
    tools: [
      tool("a", "Compares.\n\nDeprecated: Use `b`,\nwhich says more."),
      tool("b", "Deprecated."),
      tool("c", "Finds what is no more.\n\nDeprecated: no.\n\nOr is it?"),
    ],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  const source = generateClientSource(lists, { name: "versions", version: "1.0.0", era: "modern" });
  const [tools = ""] = /export interface Tools \{[^]*?\n\}/.exec(source) ?? [];
  expect(tools).toMatchInlineSnapshot(`
    "export interface Tools {
      /**
       * Compares.
       * @deprecated Use \`b\`,
       * which says more.
       */
      a(args?: Record<string, never>, options?: CallOptions): Promise<Content>;
      /** @deprecated */
      b(args?: Record<string, never>, options?: CallOptions): Promise<Content>;
      /**
       * Finds what is no more.
       *
       * Deprecated: no.
       *
       * Or is it?
       */
      c(args?: Record<string, never>, options?: CallOptions): Promise<Content>;
    }"
  `);
});

test("types that refer to themselves as values of a dictionary compile", () => {
  const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
  const dictionary = (values: JsonSchema): JsonSchema => ({ type: "object", additionalProperties: values });
  const save = tool("save", {
    properties: { json: ref("Json"), tree: ref("Tree"), other: dictionary(ref("Json")) },
    required: ["json", "tree"],
    $defs: {
      Json: { anyOf: [{ type: "string" }, { type: "array", items: ref("Json") }, dictionary(ref("Json"))] },
      Tree: dictionary(ref("Tree")),
      // Each refers to the other, and the second one is complete when the first one refers to it again.
      Left: { anyOf: [{ type: "array", items: ref("Right") }, dictionary(ref("Right"))] },
      Right: { anyOf: [{ type: "null" }, ref("Left")] },
    },
  });
  const both = tool("both", {
    properties: { left: ref("Left"), plain: dictionary({ type: "number" }) },
    ...(save.inputSchema.$defs && { $defs: save.inputSchema.$defs }),
  });
  const source = generateClientSource(
    { ...LISTS, tools: [save, both] },
    { name: "recursive", version: "1.0.0", era: "modern" },
  );
  const use = `
    import { connect } from "./client.js";
    const { tools } = await connect("http://127.0.0.1:3000/mcp");
    await tools.save({ json: { a: ["b", { c: "d" }] }, tree: { a: { b: {} } } });
    await tools.both({ left: { a: null, b: [{ c: null }] }, plain: { a: 1 } });
  `;
  expect(problems(source, use)).toEqual([]);
  expect(source).toContain("  plain?: Record<string, number>;\n");
});

test("definitions that only include themselves, and names of the types that a client uses, compile", () => {
  const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
  const names = ["Loop", "Ping", "Either", "Both", "Pick", "Readonly", "Parameters", "NonNullable"];
  const loop = tool("loop", {
    properties: Object.fromEntries(names.map((name) => [name, ref(name)])),
    $defs: {
      Loop: ref("Loop"),
      Ping: ref("Pong"),
      Pong: ref("Ping"),
      Either: { anyOf: [{ type: "string" }, ref("Either")] },
      Both: { allOf: [ref("Both"), { type: "object", properties: { a: { type: "string" } } }] },
      ...Object.fromEntries(
        names.slice(4).map((name) => [name, { type: "object", properties: { a: { type: "string" } } }]),
      ),
    },
  });
  const source = generateClientSource(
    { ...LISTS, tools: [loop] },
    { name: "loops", version: "1.0.0", era: "modern" },
  );
  const use = `import { connect } from "./client.js";\nconst { tools } = await connect("http://a.example");\nawait tools.loop({ Loop: 1, Ping: "x", Either: "x", Both: {}, Pick: { a: "x" } });\n`;
  expect(problems(source, use)).toEqual([]);
});

test("a variable that occurs twice in a URI template is one member", () => {
  const resourceTemplates = [{ uriTemplate: "a://{id}{?id,tags*}", name: "twice" }];
  const source = generateClientSource(
    { ...LISTS, tools: [], resourceTemplates },
    { name: "twice", version: "1.0.0", era: "modern" },
  );
  expect(source).toContain("  twice(variables: { id: string; tags?: string | string[] }, options?");
  const use = `import { connect } from "./client.js";\nconst { resources } = await connect("http://a.example");\nawait resources.twice({ id: "1", tags: ["x"] });\n`;
  expect(problems(source, use)).toEqual([]);
});

test("types accept what anchors, patterns, joined parts, and undescribed members allow", () => {
  const part = { properties: { a: { type: "string" } } } as const;
  const schemas: Record<string, JsonSchema> = {
    anchor: {
      properties: { x: { $ref: "#count" } },
      $defs: { count: { $anchor: "count", type: "integer" } },
    },
    patterns: { patternProperties: { "^n_": { type: "number" } }, additionalProperties: false },
    named: { properties: { id: { type: "string" } }, patternProperties: { "^n_": { type: "number" } } },
    joined: { allOf: [part], properties: { b: { type: "number" } } },
    text: { properties: { x: { type: "string", allOf: [{ pattern: "^a" }, { pattern: "z$" }] } } },
    undescribed: { properties: { a: { type: "string" } }, required: ["a", "b"] },
    typed: { properties: { x: { type: "string", enum: ["a", 3] } } },
    closed: { properties: { x: { type: "object", patternProperties: {}, additionalProperties: false } } },
  };
  const source = generateClientSource(
    { ...LISTS, tools: Object.entries(schemas).map(([name, schema]) => tool(name, schema)) },
    { name: "parts", version: "1.0.0", era: "modern" },
  );
  const calls = [
    `anchor({ x: 5 })`,
    `patterns({ n_a: 1 })`,
    `named({ id: "x", n_a: 1 })`,
    `joined({ a: "x", b: 1 })`,
    `text({ x: "az" })`,
    `undescribed({ a: "x", b: [1] })`,
    `typed({ x: "a" })`,
    `closed({ x: {} })`,
    `text({ x: 1 })`,
    `undescribed({ a: "x" })`,
    `typed({ x: 3 })`,
  ];
  const lines = calls.map((call) => `await tools.${call};\n`).join("");
  const use = `import { connect } from "./client.js";\nconst { tools } = await connect("http://a.example");\n${lines}`;
  const found = problems(source, use).map((each) => each.replace(/: .*/, ""));
  expect(found).toEqual(["use.ts:11", "use.ts:12", "use.ts:13"]);
});

test("bytes have the type `string`, in which they are sent", () => {
  const bytes: JsonSchema = { type: "string", format: "byte", contentEncoding: "base64" };
  const copy = tool("copy", { properties: { data: bytes }, required: ["data"] }, bytes);
  const source = generateClientSource(
    { ...LISTS, tools: [copy] },
    { name: "bytes", version: "1.0.0", era: "modern" },
  );
  expect(source).toContain("  /** @contentEncoding base64 */\n  data: string;\n");
  expect(source).toContain("  copy(args: CopyArguments, options?: CallOptions): Promise<string>;\n");
});
