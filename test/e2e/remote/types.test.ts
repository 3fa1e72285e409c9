/** Typed clients of living servers, compiled and run as those who install them do. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { thirdParty } from "../../third-party/installed.js";

const SERVER = `
import { Prompt, Resource, Tool, ToolError } from "@tenon/runtime";

export class Shop {
  /** Finds what there is. */
  @Tool({ name: "find-items" })
  find(query: string, limit = 10): { items: { id: number; name: string }[] } {
    if (query === "") throw new ToolError("Say what for.");
    return { items: [{ id: limit, name: query }] };
  }

  /** Says hello. */
  @Tool()
  hello(name?: string): string {
    return \`Hello, \${name ?? "you"}!\`;
  }

  /** A receipt. */
  @Resource("receipt://{year}/{number}", {
    list() {
      if (process.env["BROKEN"]) throw new ToolError("No receipts today.");
      return [{ uri: "receipt://2026/1", name: "first" }];
    },
  })
  receipt(year: string, number: string): string {
    return \`\${number} of \${year}\`;
  }

  /** Asks for a gift. */
  @Prompt()
  gift(who: string): string {
    return \`A gift for \${who}?\`;
  }
}
`;

const TRANSPORT = `
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
const server = (...args: string[]) => new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
`;

let project: ProjectFolder;
beforeAll(async () => {
  project = projectFolder({ "src/shop.ts": SERVER });
  await build();
});
afterAll(() => project.remove());

const command = ["--", process.execPath, "dist/server.js"];

async function runTenon(args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const terminal = recordingTerminal(project.root);
  const exitCode = await run(args, terminal);
  return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

async function build(): Promise<void> {
  const { exitCode, stderr } = await runTenon(["build"]);
  expect(exitCode, stderr).toBe(0);
}

function node(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: project.root,
    encoding: "utf8",
  });
  return status === 0 ? stdout : `${stdout}${stderr}`;
}

/** Compiles a folder with a tsconfig.json. */
function expectCompiles(folder: string): void {
  expect(node("node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false")).toBe("");
}

test("tenon types names a list that the server rejects", async () => {
  const broken = ["--import", "data:text/javascript,process.env.BROKEN=1"];
  const rejected = await runTenon(["types", "--", process.execPath, ...broken, "dist/server.js"]);
  expect(rejected.exitCode).toBe(1);
  expect(rejected.stderr).toBe("error  The server does not list its resources: No receipts today.\n");
});

test("tenon types omits malformed URI templates, and reads a resource at exactly its URI", async () => {
  const definition = JSON.stringify({
    resources: [{ uri: "odd://{one}", name: "odd" }],
    resourceTemplates: [
      { uriTemplate: "bad://{id", name: "bad" },
      { uriTemplate: "odd://{id}/{id}", name: "twice" },
    ],
  });
  project.write({
    "odd/server.mjs": `
import { createInterface } from "node:readline";
const lists = ${definition};
const capabilities = { resources: {} };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "odd", version: "1.0.0" } },
    "resources/list": { resources: lists.resources },
    "resources/templates/list": { resourceTemplates: lists.resourceTemplates },
    "resources/read": { contents: [{ uri: params?.uri, text: "read" }] },
  };
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: "No." } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}
`,
    "odd/package.json": '{ "name": "odd", "version": "1.0.0", "type": "module" }',
    "odd/src/main.ts": `${TRANSPORT}
import { connect } from "./odd.js";
const { resources, close } = await connect(server("odd/server.mjs"));
const read = [...(await resources.odd()), ...(await resources.twice({ id: "a b" }))];
console.log(JSON.stringify(read.map(({ uri }) => uri)));
await close();
`,
    "odd/tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        types: ["node"],
        rootDir: "src",
        outDir: "dist",
        skipLibCheck: true,
      },
      include: ["src"],
    }),
  });
  const generated = await runTenon([
    "types",
    "--out",
    "odd/src/odd.ts",
    "--",
    process.execPath,
    "odd/server.mjs",
  ]);
  expect(generated).toEqual({
    exitCode: 0,
    stdout: "✓ odd/src/odd.ts calls odd: 1 resource and 1 resource template\n",
    stderr: 'The resource template bad is omitted: "bad://{id" has a "{" without a "}".\n',
  });
  expectCompiles("odd");
  expect(JSON.parse(node("odd/dist/main.js"))).toEqual(["odd://{one}", "odd://a%20b/a%20b"]);
});

test("tenon types writes a package that compiles and calls the server by its types", async () => {
  const made = await runTenon(["types", "--out", "client", "--package", "@example/shop", ...command]);
  expect(made).toEqual({
    exitCode: 0,
    stdout: "✓ client/src/index.ts calls sample: 2 tools, 1 prompt, and 1 resource template\n",
    stderr: "",
  });
  expect(
    readFileSync(join(project.root, "client/README.md"), "utf8"),
    "the client has no URL of its own",
  ).toContain('await connect("http://127.0.0.1:3000/mcp"); // the URL of the server, or a transport');
  project.write({
    "client/src/main.ts": `${TRANSPORT}
import { connect, ToolFailure } from "./index.js";
const { tools, prompts, resources, changed, close } = await connect(server("dist/server.js"), { check: true });
const { items } = await tools["find-items"]({ query: "tea", limit: 3 });
const hello = await tools.hello();
const failed = await tools["find-items"]({ query: "" }).catch((error: unknown) => error);
const [receipt] = await resources.receipt({ year: "2026", number: "a b" });
const [message] = await prompts.gift({ who: "Ada" });
console.log(JSON.stringify([items[0]?.id, hello, failed instanceof ToolFailure && failed.message, receipt, message, changed]));
await close();
`,
  });
  expectCompiles("client");
  expect(JSON.parse(node("client/dist/main.js"))).toEqual([
    3,
    [{ type: "text", text: "Hello, you!" }],
    "Say what for.",
    { uri: "receipt://2026/a%20b", text: "a b of 2026" },
    { role: "user", content: { type: "text", text: "A gift for Ada?" } },
    [],
  ]);
});

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Tools with results of every shape, and the value of each. */
const RESULTS = `
import { Tool } from "@tenon/runtime";

interface Tree { value: number; kids: Tree[] }

export class Results {
  /** Lists numbers. */
  @Tool() list(): number[] { return [1, 2]; }
  /** Counts. */
  @Tool() count(): number { return 3; }
  /** Decides. */
  @Tool() decide(): boolean { return false; }
  /** Perhaps a tree. */
  @Tool() tree(deep: boolean): Tree[] | null { return deep ? [{ value: 1, kids: [{ value: 2, kids: [] }] }] : null; }
  /** Has a member of the same name. */
  @Tool() own(): { result: number } { return { result: 4 }; }
  /** May have a member of the same name. */
  @Tool() ownOrNull(): { result: number } | null { return { result: 5 }; }
  /** Has one of two shapes. */
  @Tool() either(): { a: number } | { b: string } { return { b: "x" }; }
  /** Counts by name. */
  @Tool() counts(): Record<string, number> { return { result: 6 }; }
  /** May be text that looks like JSON. */
  @Tool() text(): string | null { return "[7]"; }
  /** Has a time. */
  @Tool() when(): { at: Date } { return { at: new Date(0) }; }
  /** Is text. */
  @Tool() plain(): string { return "[8]"; }
}
`;
const VALUES = {
  list: [1, 2],
  count: 3,
  decide: false,
  tree: [{ value: 1, kids: [{ value: 2, kids: [] }] }],
  own: { result: 4 },
  ownOrNull: { result: 5 },
  either: { b: "x" },
  counts: { result: 6 },
  text: "[7]",
  when: { at: "1970-01-01T00:00:00.000Z" },
  plain: [{ type: "text", text: "[8]" }],
};

describe("a typed client", () => {
  beforeAll(async () => {
    project.write({
      "results/package.json": '{ "name": "results", "version": "1.0.0", "type": "module" }',
      "results/src/results.ts": RESULTS,
    });
    const terminal = recordingTerminal(join(project.root, "results"));
    expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
  });

  /** Calls each tool in each revision, and returns the revision that the server chose with the results. */
  function callAll(module: string): unknown[] {
    project.write({
      "client/src/main.ts": `${TRANSPORT}
import { connect } from "./${module}.js";
for (const revision of ${JSON.stringify(REVISIONS)}) {
  const mode: "auto" | "legacy" = revision === "2026-07-28" ? "auto" : "legacy";
  const options = { client: { versionNegotiation: { mode }, supportedProtocolVersions: [revision] } };
  const { tools, client, changed, close } = await connect(server("results/dist/server.js"), options);
  const values: Record<string, unknown> = { changed };
  for (const [name, call] of Object.entries(tools)) values[name] = await call(name === "tree" ? { deep: true } : undefined);
  console.log(JSON.stringify([client.getNegotiatedProtocolVersion(), values]));
  await close();
}
`,
    });
    expectCompiles("client");
    const lines = node("client/dist/main.js").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  test("returns values of its declared types in every revision", async () => {
    expect((await runTenon(["types", "results", "--out", "client/src/results.ts"])).exitCode).toBe(0);
    const source = readFileSync(join(project.root, "client/src/results.ts"), "utf8");
    expect(source).toContain("): Promise<number[]>;");
    expect(callAll("results")).toEqual(REVISIONS.map((revision) => [revision, { changed: [], ...VALUES }]));
  });

  test("generated in a legacy revision returns values of its declared types in every revision with result schemas", async () => {
    const args = ["types", "--era", "legacy", "--out", "client/src/legacy.ts"];
    const generated = await runTenon([...args, "--", process.execPath, "results/dist/server.js"]);
    expect(generated).toMatchObject({ exitCode: 0, stderr: "" });
    const source = readFileSync(join(project.root, "client/src/legacy.ts"), "utf8");
    expect(source).toContain("): Promise<ListResult>;");
    // In these types, a value other than an object is a member of one.
    const { list, count, decide, tree, ownOrNull, either, text, ...others } = VALUES;
    const wrapped = Object.entries({ list, count, decide, tree, ownOrNull, either, text }).map(
      ([name, result]) => [name, { result }] as const,
    );
    const values = { changed: [], ...others, ...Object.fromEntries(wrapped) };
    const results = callAll("legacy").slice(REVISIONS.indexOf("2025-06-18"));
    expect(results).toEqual(REVISIONS.slice(2).map((revision) => [revision, values]));
  });

  test("has the same fingerprints in every era", async () => {
    const readRows = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await runTenon(["types", ...args, "--", process.execPath, "results/dist/server.js"]);
      return Array.from(stdout.matchAll(/^ {2}\["\w+", "\w+", ("\w+".*)\],$/gm), ([, row = ""]) => row);
    };
    const modern = await readRows();
    expect(modern).toHaveLength(Object.keys(VALUES).length);
    expect(await readRows("--era", "legacy")).toEqual(modern);
  });

  test("does not compare the choices of an argument with the suggestions of a callback", async () => {
    project.write({
      "rides/package.json": '{ "name": "rides", "version": "1.0.0", "type": "module" }',
      "rides/src/rides.ts": `import { Prompt } from "@tenon/runtime";
export class Rides {
  /** Plans a ride. */
  @Prompt({ complete: { mood: () => ["calm"] } }) plan(mood: "calm" | "busy"): string { return mood; }
}
`,
      "client/src/main.ts": `${TRANSPORT}
import { connect } from "./rides.js";
const { changedPrompts, prompts, close } = await connect(server("rides/dist/server.js"), { check: true });
const [message] = await prompts.plan({ mood: "busy" });
console.log(JSON.stringify([changedPrompts, message?.content]));
await close();
`,
    });
    const terminal = recordingTerminal(join(project.root, "rides"));
    expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
    expect((await runTenon(["types", "rides", "--out", "client/src/rides.ts"])).exitCode).toBe(0);
    expectCompiles("client");
    expect(JSON.parse(node("client/dist/main.js"))).toEqual([[], { type: "text", text: "busy" }]);
  });

  test.each([
    ["a choice is removed", '"calm" | "busy"', '"calm"'],
    ["a choice is added", '"calm" | "busy"', '"calm" | "busy" | "odd"'],
    ["a choice is renamed", '"busy"', '"hectic"'],
    ["an argument is added", "days?: 1 | 2", "days?: 1 | 2, more?: string"],
    ["an argument is required", "days?: 1 | 2", "days: 1 | 2"],
    ["the prompt is renamed", "plan(", "scheme("],
  ])("notices that a prompt has changed when %s", async (_name, part, replacement) => {
    const source = (text: string): string =>
      `import { Prompt, Tool } from "@tenon/runtime";\nexport class Trips {\n  /** Says hello. */ @Tool() hello(): string { return ""; }\n  /** Plans a trip. */ @Prompt() ${text}: string { return city + mood + String(days); }\n}\n`;
    const plan = 'plan(city: string, mood: "calm" | "busy", days?: 1 | 2)';
    project.write({
      "trips/package.json": '{ "name": "trips", "version": "1.0.0", "type": "module" }',
      "trips/src/trips.ts": source(plan),
    });
    const check = ["types", "trips", "--out", "client/src/trips.ts", "--check"];
    expect((await runTenon(check.slice(0, -1))).exitCode).toBe(0);
    expect(readFileSync(join(project.root, "client/src/trips.ts"), "utf8")).toContain(
      'mood: "calm" | "busy";',
    );
    project.write({
      "client/src/main.ts": `${TRANSPORT}
import { connect, ServerChangedError } from "./trips.js";
for (const mode of ["auto", "legacy"] as const) {
  const options = { client: { versionNegotiation: { mode } } };
  const { changed, changedPrompts, close } = await connect(server("trips/dist/server.js"), options);
  await close();
  const error = await connect(server("trips/dist/server.js"), { ...options, check: true }).then(
    (connected) => connected.close(),
    (error: unknown) => error,
  );
  console.log(JSON.stringify([changed, changedPrompts, error instanceof ServerChangedError && error.message]));
}
`,
    });
    expectCompiles("client");
    const build = async (): Promise<void> => {
      const terminal = recordingTerminal(join(project.root, "trips"));
      expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
    };
    await build();
    expect(node("client/dist/main.js")).toBe("[[],[],false]\n[[],[],false]\n");
    project.write({ "trips/src/trips.ts": source(plan.replace(part, replacement)) });
    await build();
    const message = "The server has changed since this client was generated: prompt plan.";
    const line = JSON.stringify([[], ["plan"], message]);
    expect(node("client/dist/main.js")).toBe(`${line}\n${line}\n`);
    const { exitCode, stderr } = await runTenon(check);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^ {2}(?:changed|removed) {1,2} prompt plan$/m);
  });
});

test("tenon types reports a changed server, in the client and with --check", async () => {
  const check = ["types", "--out", "client", "--package", "@example/shop", "--check", ...command];
  expect(await runTenon(check)).toEqual({
    exitCode: 0,
    stdout: "client/src/index.ts is up to date.\n",
    stderr: "",
  });
  project.write({
    "src/shop.ts": SERVER.replace("limit = 10", "limit: number").replace("hello(name", "greet(name"),
    "client/README.md": "mine",
    "client/src/main.ts": `${TRANSPORT}
import { connect, ServerChangedError } from "./index.js";
const { changed, close } = await connect(server("dist/server.js"));
await close();
const error = await connect(server("dist/server.js"), { check: true }).catch((error: unknown) => error);
console.log(JSON.stringify([changed, error instanceof ServerChangedError && error.message]));
`,
  });
  await build();
  expectCompiles("client");
  expect(JSON.parse(node("client/dist/main.js"))).toEqual([
    ["find-items", "hello"],
    "The server has changed since this client was generated: find-items, hello.",
  ]);
  expect(await runTenon(check)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `error  The server has changed since client/src/index.ts was generated.
  new      greet
  removed  hello
  changed  find-items
hint   Run the same command without --check to update it.
`,
  });
  expect((await runTenon(check.filter((word) => word !== "--check"))).exitCode).toBe(0);
  expect((await runTenon(check)).exitCode).toBe(0);
  expect(readFileSync(join(project.root, "client/README.md"), "utf8")).toBe("mine");
});

test("tenon types supports a published third-party server", async () => {
  const program = thirdParty("@modelcontextprotocol/server-memory/dist/index.js");
  const { exitCode, stderr } = await runTenon([
    "types",
    "--out",
    "memory/src/memory.ts",
    "--",
    process.execPath,
    program,
  ]);
  expect(exitCode, stderr).toBe(0);
  writeFileSync(join(project.root, "memory.jsonl"), "");
  project.write({
    "memory/tsconfig.json": readFileSync(join(project.root, "client/tsconfig.json"), "utf8"),
    "memory/src/main.ts": `${TRANSPORT}
import { connect } from "./memory.js";
process.env["MEMORY_FILE_PATH"] = process.cwd() + "/memory.jsonl";
const transport = new StdioClientTransport({
  command: process.execPath, args: ["${program}"], stderr: "ignore", env: process.env as Record<string, string>,
});
const { tools, changed, close } = await connect(transport);
const { entities } = await tools.create_entities({ entities: [{ name: "Ada", entityType: "person", observations: ["codes"] }] });
const found = await tools.search_nodes({ query: "codes" });
console.log(JSON.stringify([entities.length, found.entities.map(({ name }) => name), changed]));
await close();
void server;
`,
  });
  expectCompiles("memory");
  expect(JSON.parse(node("memory/dist/main.js"))).toEqual([1, ["Ada"], []]);
});

test("tenon types needs no server for a project's folder, and keeps other files", async () => {
  const { stdout } = await runTenon(["types"]);
  expect(stdout).toContain(
    '"find-items"(args: FindItemsArguments, options?: CallOptions): Promise<FindItemsResult>;',
  );
  for (const options of [[], ["--check"]])
    expect(await runTenon(["types", "--out", "src/shop.ts", ...options])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "error  src/shop.ts already exists, and `tenon types` did not generate it.\nhint   Choose another path with --out, or replace it with --force.\n",
    });
  expect((await runTenon(["types", "--check"])).stderr).toBe(
    "error  --check requires --out.\nhint   Name the generated file: `--out src/search.ts`.\n",
  );
  expect((await runTenon(["types", "--package", "@example/search"])).stderr).toBe(
    "error  --package requires --out.\nhint   Name the folder of the package: `--out client`.\n",
  );
  expect((await runTenon(["types", "--out", "client", "--package", "Bad Name"])).stderr).toBe(
    "error  npm rejects the package name `Bad Name`: name can only contain URL-friendly characters.\nhint   Choose another name with --package, for example --package bad-name.\n",
  );
  expect((await runTenon(["types", "--out", "src"])).stderr).toMatch(/^error {2}src is a folder\.\n/);
  expect((await runTenon(["types", "--check", "--out", "none.ts"])).stderr).toBe(
    "error  none.ts does not exist.\n",
  );
});
