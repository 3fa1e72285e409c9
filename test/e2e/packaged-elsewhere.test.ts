import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as runTenon } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { removeFolder } from "../support/remove-folder.js";
import { freePort, run } from "./local-registry.js";
import { WEATHER } from "./package/sources.js";
import { callText, ERAS, fetchClient, startClient } from "./package/started-server.js";
import { sharedRegistry } from "./shared-registry.js";

const TIMEOUT_MS = 900_000;

let folder: string;
let registry: ReturnType<typeof sharedRegistry>;
let project: ProjectFolder;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-elsewhere-"));
  registry = sharedRegistry(folder);
  // The registry takes packages of this scope.
  const settings = { name: "@tenon/e2e-weather", version: "1.2.3", type: "module", license: "MIT" };
  project = projectFolder({ ...WEATHER, "package.json": JSON.stringify(settings) });
  expect(await runTenon(["package", "--npx", "--worker"], recordingTerminal(project.root))).toBe(0);
}, TIMEOUT_MS);

afterAll(() => {
  project?.remove();
  removeFolder(folder);
});

describe("tenon package --npx", { timeout: TIMEOUT_MS }, () => {
  it("creates a package that is published and started by its name", async () => {
    await run("npm", ["publish", "./package/npx", "--access", "public"], project.root, registry.env);
    const cwd = join(folder, "empty");
    mkdirSync(cwd);
    const env = Object.fromEntries(
      Object.entries(registry.env).filter((each): each is [string, string] => each[1] !== undefined),
    );
    for (const era of ERAS) {
      const client = await startClient(
        { command: "npx", args: ["--yes", "@tenon/e2e-weather"], cwd, env },
        era,
      );
      expect(await callText(client, "current", { city: "Oslo" })).toContain("Oslo");
      await client.close();
    }
  });
});

describe("tenon package --worker", { timeout: TIMEOUT_MS }, () => {
  it.each([
    ["deno@2.9.6", (port: string) => ["deno", "serve", "--allow-env", "--host", "127.0.0.1", "--port", port]],
    ["bun@1.4.5", () => ["bun"]],
  ])("creates a worker that serves with %s", async (name, commandOf) => {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", cwd, name], cwd, registry.env);
    const port = String(await freePort());
    const [program = "", ...args] = commandOf(port);
    const env = { ...registry.env, PORT: port, HOST: "127.0.0.1", WEATHER_API_KEY: "k" };
    const worker = join(project.root, "package/worker/worker.js");
    const server: ChildProcess = spawn(join(cwd, "node_modules/.bin", program), [...args, worker], {
      cwd,
      env,
      stdio: "ignore",
    });
    try {
      const url = `http://127.0.0.1:${port}/mcp`;
      await eventually(async () => expect((await fetch(url)).status).toBeLessThan(500));
      for (const era of ERAS) {
        const client = await fetchClient(url, fetch, era);
        expect(await callText(client, "current", { city: "Oslo" })).toContain('"key":"k"');
        await client.close();
      }
    } finally {
      server.kill();
    }
  });
});
