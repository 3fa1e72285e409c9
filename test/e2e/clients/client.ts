import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { FOLDER_VARIABLE } from "../../wire/recorder.mjs";
import { npmEnvironment, run } from "../local-registry.js";
import { listCodexServers } from "./codex-servers.js";

/** A run of a client without a terminal, with a model of its user's choice. */
export interface ClientRun {
  args: string[];
  env: Record<string, string>;
  /** Settings of the client, by path in the user's home folder, that no argument or variable replaces. */
  settings?: Record<string, object>;
}

/** A client that people use without an account. */
export interface Client {
  /** The npm package and its version. */
  package: string;
  /** Returns the client's own report on the servers that it has connected to. */
  list(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string>;
  /** Returns a pattern that matches the report on a connected server. */
  connected(server: string): RegExp;
  /** Returns the run in which the model at a URL receives a prompt and may call all tools of the server `results`. */
  prompt(text: string, modelUrl: string): ClientRun;
}

const listByCommand = (...args: string[]): Client["list"] => {
  return async (program, cwd, env) => {
    const { stdout, stderr } = await run(program, args, cwd, env);
    return stripVTControlCharacters(stdout + stderr);
  };
};

const KEY = "sk-scripted";

/** The clients, by the names that `tenon install` has for them. */
export const CLIENTS: Record<string, Client> = {
  "claude-code": {
    package: "@anthropic-ai/claude-code@2.1.330",
    list: listByCommand("mcp", "list"),
    connected: (server) => new RegExp(`^${server}: .* ✔ Connected`, "m"),
    prompt: (text, modelUrl) => ({
      args: ["--print", text, "--allowedTools", "mcp__results"],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ENABLE_TOOL_SEARCH: "false",
      },
    }),
  },
  gemini: {
    package: "@google/gemini-cli@0.61.0",
    list: listByCommand("mcp", "list"),
    connected: (server) => new RegExp(`✓ ${server}: .* Connected`),
    prompt: (text, modelUrl) => ({
      args: ["--prompt", text, "--model", "gemini-2.5-flash", "--approval-mode", "yolo"],
      env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: modelUrl },
      settings: { ".gemini/settings.json": { security: { auth: { selectedType: "gemini-api-key" } } } },
    }),
  },
  codex: {
    package: "@openai/codex@0.169.0",
    list: listCodexServers,
    connected: (server) => new RegExp(`^${server}: greet$`, "m"),
    prompt: (text, modelUrl) => {
      const provider = `{ name = "scripted", base_url = "${modelUrl}/v1", env_key = "OPENAI_API_KEY", wire_api = "responses" }`;
      const settings = [
        'model = "scripted"',
        'model_provider = "scripted"',
        `model_providers.scripted = ${provider}`,
        "mcp_servers.results.tool_timeout_sec = 5",
      ];
      return {
        args: [
          "exec",
          "--skip-git-repo-check",
          ...settings.flatMap((setting) => ["--config", setting]),
          text,
        ],
        env: { OPENAI_API_KEY: KEY },
      };
    },
  },
  opencode: {
    package: "opencode-ai@1.18.33",
    list: listByCommand("mcp", "list"),
    connected: (server) => new RegExp(`✓ ${server} +connected`),
    prompt: (text, modelUrl) => {
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${modelUrl}/v1`, apiKey: KEY },
        models: { scripted: {} },
      };
      return {
        args: ["run", "--model", "scripted/scripted", text],
        env: {
          OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { scripted: provider } }),
          OPENCODE_DISABLE_AUTOUPDATE: "1",
          OPENCODE_DISABLE_MODELS_FETCH: "1",
        },
      };
    },
  },
  qwen: {
    package: "@qwen-code/qwen-code@0.24.4",
    list: listByCommand("mcp", "list"),
    connected: (server) => new RegExp(`✓ ${server}: .* Connected`),
    prompt: (text, modelUrl) => ({
      args: [
        "--prompt",
        text,
        "--auth-type",
        "openai",
        "--approval-mode",
        "yolo",
        "--exclude-tools",
        "tool_search",
      ],
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: "scripted" },
    }),
  },
};

/** A client in its own folder, with an empty home folder. */
export interface InstalledClient {
  program: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** Removes hundreds of megabytes. */
  remove(): void;
}

/**
 * Installs a client from npm.
 *
 * @param prefix folder of the client, created if missing
 */
export async function installClient(name: string, prefix: string): Promise<InstalledClient> {
  const wanted = CLIENTS[name]!.package;
  const home = join(prefix, "home");
  mkdirSync(home, { recursive: true });
  await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefix", prefix, wanted],
    prefix,
    npmEnvironment(),
  );
  const folder = join(prefix, "node_modules", wanted.slice(0, wanted.lastIndexOf("@")));
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const command = typeof bin === "string" ? name : (Object.keys(bin)[0] ?? name);
  return {
    program: join(prefix, "node_modules/.bin", command),
    home,
    env: {
      ...npmEnvironment(),
      HOME: home,
      XDG_CONFIG_HOME: undefined,
      XDG_DATA_HOME: undefined,
      // The answer of users who are prompted whether they trust the folder.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      CI: undefined,
      // The messages of clients are not checked.
      [FOLDER_VARIABLE]: undefined,
    },
    remove: () => rmSync(prefix, { recursive: true, force: true }),
  };
}

/** Runs a client until it exits; rejects if it fails or takes longer than two minutes. */
export async function runClient(
  { program, home, env: environment }: InstalledClient,
  { args, env, settings = {} }: ClientRun,
  cwd: string,
): Promise<void> {
  for (const [path, values] of Object.entries(settings)) {
    const file = join(home, path);
    const current = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...current, ...values }));
  }
  const options = { cwd, env: { ...environment, ...env }, timeout: 120_000, maxBuffer: 64 << 20 };
  const running = promisify(execFile)(program, args, options);
  // Some clients append everything from stdin to the prompt.
  running.child.stdin?.end();
  await running;
}
