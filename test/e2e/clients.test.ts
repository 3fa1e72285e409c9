/**
 * Clients that people have, from npm and without an account, read what `tenon install` wrote and connect: to a server that
 * they start, and to one at a URL that asks for a key. `npm run test:clients`, since they are a gigabyte.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { FOLDER_VARIABLE } from "../wire/recorder.mjs";
import { freePort, npmEnvironment, run } from "./local-registry.js";
import { serverAnswers } from "./server-answers.js";

const tenon = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");
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

/** A client and the ways to read its view of servers. */
interface Client {
  package: string;
  /** Returns the client's own report on the servers that it has connected to. */
  list(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string>;
  /** Returns a pattern that matches the report on a connected server. */
  connected(server: string): RegExp;
}

const words = (...args: string[]): Client["list"] => {
  return async (program, cwd, env) => {
    const { stdout, stderr } = await run(program, args, cwd, env);
    return stripVTControlCharacters(stdout + stderr);
  };
};

const CLIENTS: Record<string, Client> = {
  "claude-code": {
    package: "@anthropic-ai/claude-code@2.1.330",
    list: words("mcp", "list"),
    connected: (server) => new RegExp(`^${server}: .* ✔ Connected`, "m"),
  },
  gemini: {
    package: "@google/gemini-cli@0.61.0",
    list: words("mcp", "list"),
    connected: (server) => new RegExp(`✓ ${server}: .* Connected`),
  },
  codex: {
    package: "@openai/codex@0.169.0",
    list: codexServers,
    connected: (server) => new RegExp(`^${server}: greet$`, "m"),
  },
  opencode: {
    package: "opencode-ai@1.18.33",
    list: words("mcp", "list"),
    connected: (server) => new RegExp(`✓ ${server} +connected`),
  },
  qwen: {
    package: "@qwen-code/qwen-code@0.24.4",
    list: words("mcp", "list"),
    connected: (server) => new RegExp(`✓ ${server}: .* Connected`),
  },
};

interface CodexServers {
  data: { name: string; serverInfo: object | null; tools: object }[];
}

function codexLine({ name, serverInfo, tools }: CodexServers["data"][number]): string {
  return `${name}: ${serverInfo === null ? "failed" : Object.keys(tools).join(", ")}`;
}

/** Codex lists servers without connecting, but for programs that it serves. */
async function codexServers(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const codex = spawn(program, ["app-server"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const send = (message: object): void => void codex.stdin.write(`${JSON.stringify(message)}\n`);
  const clientInfo = { name: "test", title: "test", version: "1.0.0" };
  send({ id: 0, method: "initialize", params: { clientInfo } });
  try {
    for await (const line of createInterface(codex.stdout)) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: CodexServers };
      if (id === 1) return (result?.data ?? []).map(codexLine).join("\n");
      if (id !== 0) continue;
      send({ method: "initialized" });
      send({ id: 1, method: "mcpServerStatus/list", params: {} });
    }
    throw new Error("Codex said nothing of its servers.");
  } finally {
    codex.kill();
    if (codex.exitCode === null) await once(codex, "exit");
  }
}

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
  await serverAnswers(new URL("/readyz", url));
});
afterAll(async () => {
  server?.kill();
  if (server?.exitCode === null) await once(server, "exit");
  project?.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(CLIENTS))("%s", (name, { package: wanted, list, connected }) => {
  const prefix = (): string => join(folder, name);
  let env: NodeJS.ProcessEnv;
  let program: string;

  beforeAll(async () => {
    mkdirSync(join(prefix(), "home"), { recursive: true });
    await run(
      "npm",
      ["install", "--no-audit", "--no-fund", "--prefix", prefix(), wanted],
      folder,
      npmEnvironment(),
    );
    const installed = join(
      prefix(),
      "node_modules",
      wanted.slice(0, wanted.lastIndexOf("@")),
      "package.json",
    );
    const { bin } = JSON.parse(readFileSync(installed, "utf8")) as { bin: string | Record<string, string> };
    const command = typeof bin === "string" ? name : (Object.keys(bin)[0] ?? name);
    program = join(prefix(), "node_modules/.bin", command);
    env = {
      ...npmEnvironment(),
      HOME: join(prefix(), "home"),
      XDG_CONFIG_HOME: undefined,
      XDG_DATA_HOME: undefined,
      // What people answer who are asked whether they trust their folder.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      CI: undefined,
      // What clients send is not ours.
      [FOLDER_VARIABLE]: undefined,
    };
  });
  // Each is hundreds of megabytes.
  afterAll(() => rmSync(prefix(), { recursive: true, force: true }));

  const install = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [tenon, "install", name, ...args], project.root, env)).stdout;

  test("starts an installed server", async () => {
    await install("--name", "started", "--env", "WHO=Ada");
    expect(await list(program, project.root, env)).toMatch(connected("started"));
  });

  test("reaches a server by URL with the installed key, and with no other", async () => {
    await install("--name", "reached", "--url", url, "--header", `X-API-Key: ${KEY}`);
    await install("--name", "refused", "--url", url, "--header", "X-API-Key: guessed");
    const shown = await list(program, project.root, env);
    expect(shown).toMatch(connected("reached"));
    expect(shown).not.toMatch(connected("refused"));
  });

  test("does not see a removed server", async () => {
    for (const each of ["started", "refused"]) await install("--name", each, "--remove");
    const shown = await list(program, project.root, env);
    expect(shown).not.toMatch(/started|refused/);
    expect(shown).toMatch(connected("reached"));
  });
});
