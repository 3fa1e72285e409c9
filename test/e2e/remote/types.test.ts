/** Typed clients of living servers, compiled and run as those who install them do. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  await builds();
});
afterAll(() => project.remove());

const command = ["--", process.execPath, "dist/server.js"];

async function ran(args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const terminal = recordingTerminal(project.root);
  const exitCode = await run(args, terminal);
  return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

async function builds(): Promise<void> {
  const { exitCode, stderr } = await ran(["build"]);
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
function compiles(folder: string): void {
  expect(node("node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false")).toBe("");
}

test("a list that the server refuses is named", async () => {
  const broken = ["--import", "data:text/javascript,process.env.BROKEN=1"];
  const refused = await ran(["types", "--", process.execPath, ...broken, "dist/server.js"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toBe("error  The server does not list its resources: No receipts today.\n");
});

test("a package for one's own server is compiled, and calls it by its types", async () => {
  const made = await ran(["types", "--out", "client", "--package", "@example/shop", ...command]);
  expect(made).toEqual({
    exitCode: 0,
    stdout: "✓ client/src/index.ts calls sample: 2 tools, 1 prompt and 1 resource template\n",
    stderr: "",
  });
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
  compiles("client");
  expect(JSON.parse(node("client/dist/main.js"))).toEqual([
    3,
    [{ type: "text", text: "Hello, you!" }],
    "Say what for.",
    { uri: "receipt://2026/a%20b", text: "a b of 2026" },
    { role: "user", content: { type: "text", text: "A gift for Ada?" } },
    [],
  ]);
});

test("a server that changed is reported, by the client and by --check", async () => {
  const check = ["types", "--out", "client", "--package", "@example/shop", "--check", ...command];
  expect(await ran(check)).toEqual({
    exitCode: 0,
    stdout: "client/src/index.ts is up to date.\n",
    stderr: "",
  });
  project.write({
    "src/shop.ts": SERVER.replace("limit = 10", "limit: number").replace("hello(name", "greet(name"),
    "client/README.md": "mine",
    "client/src/main.ts": `${TRANSPORT}
import { connect, ServerChanged } from "./index.js";
const { changed, close } = await connect(server("dist/server.js"));
await close();
const error = await connect(server("dist/server.js"), { check: true }).catch((error: unknown) => error);
console.log(JSON.stringify([changed, error instanceof ServerChanged && error.message]));
`,
  });
  await builds();
  compiles("client");
  expect(JSON.parse(node("client/dist/main.js"))).toEqual([
    ["find-items", "hello"],
    "The server has changed since this client was made: find-items, hello.",
  ]);
  expect(await ran(check)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `error  The server has changed since client/src/index.ts was made.
  new      greet
  gone     hello
  changed  find-items
hint   Run the same command without --check to make it again.
`,
  });
  expect((await ran(check.filter((word) => word !== "--check"))).exitCode).toBe(0);
  expect((await ran(check)).exitCode).toBe(0);
  expect(readFileSync(join(project.root, "client/README.md"), "utf8")).toBe("mine");
});

test("a server that somebody else has published is called by its types", async () => {
  const program = thirdParty("@modelcontextprotocol/server-memory/dist/index.js");
  const { exitCode, stderr } = await ran([
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
  compiles("memory");
  expect(JSON.parse(node("memory/dist/main.js"))).toEqual([1, ["Ada"], []]);
});

test("the project in a folder needs no server, and files of one's own stay", async () => {
  const { stdout } = await ran(["types"]);
  expect(stdout).toContain(
    '"find-items"(args: FindItemsArguments, options?: CallOptions): Promise<FindItemsResult>;',
  );
  expect(await ran(["types", "--out", "src/shop.ts"])).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      "error  src/shop.ts exists already, and `tenon types` has not written it.\nhint   Name another by --out, or replace it by --force.\n",
  });
  expect((await ran(["types", "--check"])).stderr).toBe(
    "error  --check needs --out.\nhint   Name the file or the folder to look at: `--out src/search.ts`.\n",
  );
  expect((await ran(["types", "--package", "@example/search"])).stderr).toBe(
    "error  --package needs --out.\nhint   Name the folder of the package: `--out client`.\n",
  );
  expect((await ran(["types", "--out", "src"])).stderr).toMatch(/^error {2}src is a folder\.\n/);
  expect((await ran(["types", "--check", "--out", "none.ts"])).stderr).toBe("error  There is no none.ts.\n");
});
