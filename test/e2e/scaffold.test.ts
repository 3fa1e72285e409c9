import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { npmEnvironment, run, startLocalRegistry, type LocalRegistry } from "./local-registry.js";

const TIMEOUT_MS = 300_000;
const program = resolve(import.meta.dirname, "../../packages/create-mcp-server/bin/create-mcp-server.js");

let folder: string;
let registry: LocalRegistry;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-e2e-"));
  registry = await startLocalRegistry(join(folder, "registry"));
}, TIMEOUT_MS);

afterAll(async () => {
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("a project made by npm create, from a registry", { timeout: TIMEOUT_MS }, () => {
  const project = (): string => join(folder, "my-server");

  it("is written, installed, built and answers its first call", async () => {
    const args = ["create", "--yes", "mcp-server@latest", "my-server", "--", "--yes"];
    const { stdout } = await run("npm", args, folder, registry.env);
    expect(stdout).toContain("Bonjour, Ada!");
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

  it("passes its own tests", async () => {
    const { stdout } = await run("npm", ["test"], project(), registry.env);
    expect(stdout).toMatch(/Tests {2}5 passed/);
  });

  it("passes the type check of its own TypeScript", async () => {
    for (const tsconfig of [".", "test"]) {
      const args = ["exec", "--", "tsc", "-p", tsconfig];
      expect((await run("npm", args, project(), registry.env)).stdout).toBe("");
    }
  });

  it("is called from its folder", async () => {
    const args = ["exec", "--", "tenon", "call", "greet", "name=Grace", "language=es"];
    const { stdout } = await run("npm", args, project(), registry.env);
    expect(stdout).toBe("Hola, Grace!\n");
  });

  it("serves an official client with nothing but what was built", async () => {
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

  it("carries no compiler into production", () => {
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

describe("a project made by a checkout, whose packages are in no registry", { timeout: TIMEOUT_MS }, () => {
  it("carries the packages it needs, is built and answers its first call", async () => {
    const args = [program, "tasks", "--yes", "--template", "standard"];
    const { stdout } = await run(process.execPath, args, folder, npmEnvironment());
    expect(stdout).toContain(`$ npx tenon call add_task 'title=Write the first tool' priority=high`);
    expect(stdout).toContain('"title": "Write the first tool"');
    expect(existsSync(join(folder, "tasks/vendor"))).toBe(true);
  });

  it("passes its own tests", async () => {
    const { stdout } = await run("npm", ["test"], join(folder, "tasks"), npmEnvironment());
    expect(stdout).toMatch(/Tests {2}7 passed/);
  });
});
