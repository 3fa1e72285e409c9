import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import type { Tool, ToolResult } from "@tenon/runtime/manifest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParcelsApi } from "../../examples/openapi/api/parcels-api.js";
import { exampleFolders } from "../support/build-examples.js";
import { FOREIGN } from "../wire/recorder.mjs";

const examples = join(import.meta.dirname, "../../examples");

/** A call of each example that runs a compiled validator, and the expected part of the result. */
const CALLS: Record<string, { tool: string; valid: object; invalid: object }> = {
  weather: { tool: "forecast", valid: { city: "Oslo", days: 2 }, invalid: { city: 5 } },
  notes: { tool: "find_notes", valid: { words: "tea" }, invalid: { limit: "many" } },
  files: { tool: "list_directory", valid: { path: "." }, invalid: {} },
  memory: { tool: "search_nodes", valid: { query: "tea" }, invalid: {} },
  git: { tool: "git_status", valid: {}, invalid: { unknown: 1 } },
  approvals: { tool: "list_purchases", valid: { state: "paid" }, invalid: { state: "gone" } },
  secure: { tool: "submit", valid: { purpose: "Lunch", euros: 5 }, invalid: { euros: "many" } },
  openapi: { tool: "listParcels", valid: {}, invalid: { state: "lost" } },
  expenses: { tool: "overview", valid: { month: "2026-11" }, invalid: { months: 1 } },
  everything: { tool: "test_simple_text", valid: {}, invalid: { unknown: 1 } },
};

/** The environment variables with which examples find their data. */
const repository = mkdtempSync(join(tmpdir(), "git-"));
const settings: Record<string, string> = {
  NOTES_DB: ":memory:",
  FILES_DIRECTORIES: examples,
  MEMORY_FILE_PATH: join(examples, "memory/none.jsonl"),
  GIT_REPOSITORIES: repository,
};

/** Its own test calls its tools. */
const NEEDS_REDIS = new Set(["cluster"]);

const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  },
};

/** Sends requests to a built server that may not generate code from strings, and collects the responses. */
async function ask(name: string, requests: { method: string; params?: object }[]): Promise<unknown[]> {
  const child = spawn(
    process.execPath,
    ["--disallow-code-generation-from-strings", join(examples, name, "dist/server.js")],
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...settings } },
  );
  const answers: unknown[] = [];
  for (const [id, { method, params }] of requests.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...META } })}\n`);
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id: number; result: unknown };
    answers[id] = result;
    if (Object.keys(answers).length === requests.length) child.stdin.end();
  }
  return answers;
}

let parcels: Awaited<ReturnType<typeof startParcelsApi>>;
beforeAll(async () => {
  execFileSync("git", ["init", "--quiet", repository]);
  parcels = await startParcelsApi(0, "key");
  Object.assign(parcels.http, { [FOREIGN]: true });
  Object.assign(settings, { PARCEL_SERVICE_URL: parcels.url, PARCEL_SERVICE_API_KEY: "key" });
});
afterAll(() => {
  rmSync(repository, { recursive: true });
  parcels.http.close();
});

describe.each(exampleFolders().map((folder) => basename(folder)))("examples/%s", (name) => {
  it.skipIf(NEEDS_REDIS.has(name))(
    "lists and calls its tools without generating code at run time",
    async () => {
      const { tool, valid, invalid } = CALLS[name] ?? { tool: "", valid: {}, invalid: {} };
      const [listed, called, rejected] = (await ask(name, [
        { method: "tools/list" },
        { method: "tools/call", params: { name: tool, arguments: valid } },
        { method: "tools/call", params: { name: tool, arguments: invalid } },
      ])) as [{ tools: Tool[] }, ToolResult, ToolResult];
      expect(listed.tools.map((each) => each.name)).toContain(tool);
      expect(called.isError).toBeUndefined();
      expect(rejected).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("Invalid arguments") as string }],
      });
    },
  );

  it("contains no compiler and no validation library", () => {
    const dist = join(examples, name, "dist");
    const code = readdirSync(dist).filter((file) => file.endsWith(".js"));
    expect(code.length).toBeGreaterThan(0);
    for (const file of code) {
      const text = readFileSync(join(dist, file), "utf8");
      const map = join(dist, `${file}.map`);
      // The compiler's own modules are not bundles of the author's.
      const sources = /^(?:validators|view|skill)-/.test(file) ? "" : readFileSync(map, "utf8");
      // A method of that name, as that of Redis, is something else.
      expect(text).not.toMatch(/\bnew Function\(|(?<![.\w])eval\(/);
      expect(text).not.toMatch(/(?:from|import\(|require\()\s*["'](?:ajv|zod|typescript|ts-morph|@ts-morph)/);
      expect(sources).not.toMatch(/node_modules\/(?:ajv|zod|typescript|ts-morph|@ts-morph)\//);
    }
  });
});
