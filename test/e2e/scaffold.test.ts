import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { removeFolder } from "../support/remove-folder.js";
import { findEditorErrors } from "./editor-errors.js";
import { freePort, npmEnvironment, type ProgramOutput, run } from "./local-registry.js";
import { waitForResponse } from "./server-answers.js";
import { sharedRegistry } from "./shared-registry.js";

const TIMEOUT_MS = 300_000;
const program = resolve(import.meta.dirname, "../../packages/create-mcp-server/bin/create-mcp-server.js");

let folder: string;
let registry: ReturnType<typeof sharedRegistry>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-e2e-"));
  registry = sharedRegistry(folder);
});

afterAll(() => removeFolder(folder));

/**
 * Maximum size of the packages of a new project, in MB. TypeScript, Vitest with its bundler, ts-morph, and esbuild are nine
 * tenths of it.
 */
const MAX_INSTALL_MB = 130;

function countMegabytes(root: string): number {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1e6;
}

/** Returns the output of the first command, as README.md shows it. */
function readFirstOutput(): string {
  const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const [, shown = "README.md shows no output."] = /```console create\n\$ .*\n([^]*?)```/.exec(readme) ?? [];
  return shown;
}

describe("a project created from a registry", { timeout: TIMEOUT_MS }, () => {
  const project = (): string => join(folder, "my-server");

  it("is written, installed, and built, and returns its first result", async () => {
    const args = ["create", "--yes", "mcp-server@latest", "my-server", "--", "--yes"];
    const { stdout } = await run("npm", args, folder, registry.env);
    expect(stdout).toContain(readFirstOutput().replaceAll("../my-server", "my-server"));
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(project(), "package.json"), "utf8"),
    ) as {
      dependencies: object;
      devDependencies: object;
    };
    expect(dependencies).toEqual({ "@tenon/runtime": "^0.1.0" });
    expect(devDependencies).toHaveProperty(["@tenon/cli"], "^0.1.0");
    expect(existsSync(join(project(), "vendor"))).toBe(false);
  });

  it("installs neither the libraries of the official client nor the client, which the command line contains", () => {
    const installed = new Set(readdirSync(join(project(), "node_modules")));
    for (const name of ["@modelcontextprotocol", "zod", "jose", "eventsource"])
      expect(installed).not.toContain(name);
    expect(countMegabytes(join(project(), "node_modules"))).toBeLessThan(MAX_INSTALL_MB);
    const licenses = join(project(), "node_modules/@tenon/cli/dist/remote/official/mcp-client.licenses.txt");
    expect(readFileSync(licenses, "utf8")).toMatch(/^@modelcontextprotocol\/client \d[^]*^zod \d/m);
  });

  it("is installed without a warning", async () => {
    rmSync(join(project(), "node_modules"), { recursive: true });
    expect((await run("npm", ["ci"], project(), registry.env)).stderr).toBe("");
  });

  it("passes its own tests", async () => {
    const { stdout } = await run("npm", ["test"], project(), registry.env);
    expect(stdout).toMatch(/Tests {2}5 passed/);
  });

  checkTypes("minimal", project);
  checkTypeErrors(project);

  it("can be called from its folder", async () => {
    const args = ["exec", "--", "tenon", "call", "greet", "name=Grace", "language=es"];
    const { stdout } = await run("npm", args, project(), registry.env);
    expect(stdout).toBe("Hola, Grace!\n");
  });

  it("can be inspected as a running server", async () => {
    const args = ["exec", "--", "tenon", "inspect", "--", "node", "dist/server.js"];
    expect((await run("npm", args, project(), registry.env)).stdout).toContain("greet  read-only");
  });

  it("accepts another prompt, in a new or an existing class", async () => {
    const tenon = (...args: string[]): Promise<ProgramOutput> =>
      run(join(project(), "node_modules/.bin/tenon"), args, project(), registry.env);
    await tenon("add", "prompt", "farewell");
    await tenon("add", "tool", "wave", "--file", "src/greeter.ts");
    expect((await tenon("inspect")).stdout).toMatch(/greet[^]*wave[^]*farewell/);
    rmSync(join(project(), "src/farewell.ts"));
  });

  it("serves an official client with only its build", async () => {
    const deployed = join(folder, "deployed");
    cpSync(join(project(), "dist"), deployed, { recursive: true });
    cpSync(join(project(), "package.json"), join(deployed, "package.json"));
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(deployed, "server.js")],
        env: process.env as Record<string, string>,
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["greet"]);
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
    expect(content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
    await client.close();
  });

  it("includes no compiler in production", () => {
    const dist = join(project(), "dist");
    const modules = readdirSync(dist).filter((name) => name.endsWith(".js"));
    const imported = modules.flatMap((name) => {
      const text = readFileSync(join(dist, name), "utf8");
      return [...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?"([^".][^"]*)"/g)].map(
        ([, specifier]) => specifier,
      );
    });
    expect(imported.filter((specifier) => !specifier?.startsWith("node:"))).toEqual([]);
    const text = modules.map((name) => readFileSync(join(dist, name), "utf8")).join("\n");
    expect(text).not.toMatch(/ts-morph|ajv\/dist|new Function\(/);
  });
});

/**
 * Returns a clone of everything that the author of a built project would commit, with the packages of the
 * original.
 */
async function cloneProject(root: string, template: string): Promise<string> {
  const clone = join(folder, `clone-${template}`);
  const git = (cwd: string, ...args: string[]): Promise<ProgramOutput> =>
    run("git", args, cwd, npmEnvironment());
  await git(root, "add", "--all");
  await git(
    root,
    "-c",
    "user.name=Ada",
    "-c",
    "user.email=ada@example.com",
    "commit",
    "--quiet",
    "-m",
    "Start",
  );
  await git(folder, "clone", "--quiet", root, clone);
  const written = readdirSync(join(clone, ".tenon"));
  expect(written).toContain("server.d.ts");
  expect(written.filter((name) => !name.endsWith(".d.ts"))).toEqual([]);
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  return clone;
}

/** Tests of the types of a project, which is installed in a folder. */
function checkTypes(template: string, root: () => string): void {
  it("passes its own type check", async () => {
    for (const tsconfig of [".", "test"]) {
      const args = ["exec", "--", "tsc", "-p", tsconfig];
      expect((await run("npm", args, root(), registry.env)).stdout).toBe("");
    }
  });

  it("has no errors in an editor before its first build, nor in a clone", async () => {
    const unbuilt = join(folder, `unbuilt-${template}`);
    const args = [program, unbuilt, "--yes", "--no-install", "--template", template];
    await run(process.execPath, args, folder, npmEnvironment());
    symlinkSync(join(root(), "node_modules"), join(unbuilt, "node_modules"));
    const { files, errors } = await findEditorErrors(unbuilt);
    expect(files.length).toBeGreaterThan(2);
    expect(errors).toEqual([]);
    expect((await findEditorErrors(await cloneProject(root(), template))).errors).toEqual([]);
    // A language server that found no types at all would report this as well.
    rmSync(join(unbuilt, ".tenon"), { recursive: true });
    expect((await findEditorErrors(unbuilt)).errors).not.toEqual([]);
  });
}

/** Its tests and its check report type errors in its tests. The templates have the same scripts. */
function checkTypeErrors(root: () => string): void {
  it("fails its tests and its check for a type error in a test", async () => {
    const name = readdirSync(join(root(), "test")).find((each) => each.endsWith(".test.ts")) ?? "";
    const file = join(root(), "test", name);
    const source = readFileSync(file, "utf8");
    writeFileSync(file, `${source}\nexport const count: number = expect.name;\n`);
    for (const args of [["test"], ["run", "check"]]) {
      const failed = await run("npm", args, root(), registry.env).catch(String);
      expect(failed).toContain(`test/${name}:${source.split("\n").length + 1}`);
      expect(failed).toContain("(TS2322)");
    }
    writeFileSync(file, source);
  });
}

/** Its own programs and scripts, as its README and its CI name them. */
function inProject(template: string) {
  const root = (): string => join(folder, template);
  const shell = (command: string, env: NodeJS.ProcessEnv = {}): Promise<ProgramOutput> =>
    run("sh", ["-ec", command], root(), { ...registry.env, ...env });
  return { root, shell };
}

/** Creates a project from a template of the same name. Returns the output. */
async function create(template: string): Promise<string> {
  const args = ["create", "--yes", "mcp-server@latest", template, "--", "--yes", "--template", template];
  return (await run("npm", args, folder, registry.env)).stdout;
}

/** Returns the commands that the CI workflow of a project runs. */
function workflow(root: string): string[] {
  const { jobs } = parse(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8")) as {
    jobs: { check: { steps: { run?: string }[] } };
  };
  return jobs.check.steps.flatMap((step) => step.run ?? []);
}

describe("a project with the template http", { timeout: TIMEOUT_MS }, () => {
  const { root, shell } = inProject("http");

  it("reports the next steps that apply", async () => {
    const screen = await create("http");
    expect(screen).toContain('"text": "Water the plants"');
    expect(screen).toContain("`npm run start` serves it over HTTP");
  });

  it("passes its own CI", async () => {
    for (const command of workflow(root())) await shell(command);
  });

  checkTypes("http", root);

  it("serves callers with the key it was created with", async () => {
    const port = String(await freePort());
    const server = spawn("npm", ["start"], {
      cwd: root(),
      env: { ...registry.env, PORT: port },
      stdio: "ignore",
    });
    try {
      await waitForResponse(`http://127.0.0.1:${port}/readyz`);
      const [, key = ""] = /^API_KEYS=me:(\w+)$/m.exec(readFileSync(join(root(), ".env"), "utf8")) ?? [];
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { "X-API-Key": key } } }),
      );
      const { structuredContent } = await client.callTool({ name: "add_note", arguments: { text: "Hi" } });
      expect(structuredContent).toMatchObject({ text: "Hi" });
      await client.close();
      const call = `npx tenon call ${url} add_note text=Ho --header "X-API-Key: ${key}"`;
      expect((await shell(call)).stdout).toContain('"text": "Ho"');
      const stranger = new Client({ name: "test", version: "1.0.0" });
      await expect(stranger.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow();
    } finally {
      server.kill();
      await once(server, "exit");
    }
  });

  it("runs as its Dockerfile specifies, with only the image's files, and reports its health", async () => {
    const lines = readFileSync(join(root(), "Dockerfile"), "utf8").replaceAll("\\\n", "").split("\n");
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
    const words = (name: string): string[] =>
      last.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
    const command = (text = ""): string[] => JSON.parse(text.slice(text.indexOf("["))) as string[];
    const image = join(folder, "image");
    for (const copied of words("COPY")) {
      const [from = "", to = ""] = copied.replace("--from=build /app/", "").split(" ");
      cpSync(join(root(), from), join(image, to === "./" ? from : to), { recursive: true });
    }
    expect(words("USER")).toEqual(["node"]);
    const port = String(await freePort());
    const env = {
      PATH: process.env["PATH"],
      ...Object.fromEntries(words("ENV").flatMap((line) => line.split(" ").map((each) => each.split("=")))),
      PORT: port,
      API_KEYS: "me:0123456789abcdef0123456789abcdef",
    } as NodeJS.ProcessEnv;
    const [name = "", ...args] = command(words("CMD")[0]);
    const server = spawn(name, args, { cwd: image, env, stdio: "ignore" });
    const [health = "", ...healthArgs] = command(words("HEALTHCHECK")[0]);
    try {
      await waitForResponse(`http://127.0.0.1:${port}/readyz`);
      await run(health, healthArgs, image, env);
    } finally {
      server.kill();
      await once(server, "exit");
    }
    expect(server.exitCode).toBe(0);
    await expect(run(health, healthArgs, image, env)).rejects.toThrow("failed");
  });

  it("accepts a new tool without a breaking change in CI, and fails for a changed one", async () => {
    await shell("npx tenon add tool shiny_thing && npx tenon check --github");
    const file = join(root(), "src/notes.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("add(text: string,", "add(words: string,"));
    const broken = await shell("npx tenon check --github").catch((error: unknown) => error as Error);
    expect(String(broken)).toContain("::error");
  });
});

describe("a project with the template database", { timeout: TIMEOUT_MS }, () => {
  const { root, shell } = inProject("database");

  it("reports the next steps that apply", async () => {
    const screen = await create("database");
    expect(screen).toContain('"sku": "OAK-40"');
    expect(screen).toContain(`--env DATABASE_URL=file:${realpathSync(root())}/stock.db`);
  });

  it("passes its own CI, and accepts another resource", async () => {
    // It is already installed.
    for (const command of workflow(root()).slice(1)) await shell(command);
    await shell("npx tenon add resource shelf && npm run build");
  });

  checkTypes("database", root);

  it("keeps its data in its file between processes", async () => {
    const call = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
      const client = new Client({ name: "test", version: "1.0.0" });
      const env = { ...process.env, DATABASE_URL: `file:${join(folder, "kept.db")}` } as Record<
        string,
        string
      >;
      const server = { command: process.execPath, args: [join(root(), "dist/server.js")], env };
      await client.connect(new StdioClientTransport(server));
      const { structuredContent } = await client.callTool({ name, arguments: args });
      await client.close();
      return structuredContent;
    };
    const item = { sku: "OAK-40", name: "Oak board", quantity: 3 };
    expect(await call("add_item", item)).toEqual(item);
    expect(await call("find_items", {})).toEqual({ result: [item] });
  });
});

describe("a project with the template view", { timeout: TIMEOUT_MS }, () => {
  const { root, shell } = inProject("view");

  it("is created, and its first call asks a question", async () => {
    expect(await create("view")).toContain('"question": "Where to?"');
  });

  checkTypes("view", root);
  checkTypeErrors(root);

  it("passes its own CI, and serves the view", async () => {
    // It is already installed.
    for (const command of workflow(root()).slice(1)) await shell(command);
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [join(root(), "dist/server.js")] }),
    );
    const { resources } = await client.listResources();
    expect(resources).toEqual([]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["ask", "get_votes"]);
    await client.close();
  });
});

describe("a project created by a checkout, without a registry", { timeout: TIMEOUT_MS }, () => {
  it("contains the packages it needs, is built, and returns its first result", async () => {
    const args = [program, "tasks", "--yes", "--template", "standard"];
    const { stdout } = await run(process.execPath, args, folder, npmEnvironment());
    expect(stdout).toContain(`$ npx tenon call add_task 'title=Write the first tool' priority=high`);
    expect(stdout).toContain('"title": "Write the first tool"');
    expect(existsSync(join(folder, "tasks/vendor"))).toBe(true);
  });

  checkTypes("standard", () => join(folder, "tasks"));

  it("accepts another prompt, and passes its own tests", async () => {
    const tenon = join(folder, "tasks/node_modules/.bin/tenon");
    const args = ["add", "prompt", "review", "--file", "src/task-pages.ts"];
    await run(tenon, args, join(folder, "tasks"), npmEnvironment());
    const { stdout } = await run("npm", ["test"], join(folder, "tasks"), npmEnvironment());
    expect(stdout).toMatch(/Tests {2}7 passed/);
  });
});
