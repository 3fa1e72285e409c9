/**
 * Clients that people have, from npm and without an account, read what `tenon install` wrote and connect: to a server
 * that they start, and to one at a URL that requires a key. `npm run test:clients`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { freePort, npmEnvironment, run } from "../local-registry.js";
import { CLIENTS, installClient, type InstalledClient } from "./client.js";
import { waitForResponse } from "../server-answers.js";

const tenon = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");
const KEY = "0123456789abcdef0123456789abcdef";

const GREETER = `import { Tool } from "@tenon/runtime";
export class Greeter {
  @Tool() greet(): string { return "Hello, " + process.env.WHO; }
}
`;
const SERVER = `import { defineServer } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
export default defineServer({ auth: apiKeys({ "${KEY}": "ada" }) });
`;

let folder: string;
let project: ProjectFolder;
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-clients-"));
  project = projectFolder({ "src/greeter.ts": GREETER, "src/server.ts": SERVER });
  await run(process.execPath, [tenon, "build"], project.root, npmEnvironment());
  const port = String(await freePort());
  const args = [join(project.root, "dist/server.js"), "--http", "--port", port];
  server = spawn(process.execPath, args, { stdio: "ignore" });
  url = `http://127.0.0.1:${port}/mcp`;
  await waitForResponse(new URL("/readyz", url));
});
afterAll(async () => {
  server?.kill();
  if (server?.exitCode === null) await once(server, "exit");
  project?.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(CLIENTS))("%s", (name, { list, connected }) => {
  let client: InstalledClient;

  beforeAll(async () => {
    client = await installClient(name, join(folder, name));
  });
  afterAll(() => client?.remove());

  const install = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [tenon, "install", name, ...args], project.root, client.env)).stdout;

  test("starts an installed server", async () => {
    await install("--name", "started", "--env", "WHO=Ada");
    expect(await list(client.program, project.root, client.env)).toMatch(connected("started"));
  });

  test("reaches a server by URL with the installed key, and with no other", async () => {
    await install("--name", "reached", "--url", url, "--header", `X-API-Key: ${KEY}`);
    await install("--name", "refused", "--url", url, "--header", "X-API-Key: guessed");
    const shown = await list(client.program, project.root, client.env);
    expect(shown).toMatch(connected("reached"));
    expect(shown).not.toMatch(connected("refused"));
  });

  test("does not see a removed server", async () => {
    for (const each of ["started", "refused"]) await install("--name", each, "--remove");
    const shown = await list(client.program, project.root, client.env);
    expect(shown).not.toMatch(/started|refused/);
    expect(shown).toMatch(connected("reached"));
  });
});
