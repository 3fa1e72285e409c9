/**
 * Results of tools, as they reach the model of real clients. A scripted model calls the tools, so neither an account nor a
 * provider is needed. `npm run test:clients`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../../support/built-server.js";
import {
  startScriptedModel,
  type ScriptedRequest,
  type ScriptedResponse,
} from "../../support/scripted-model.js";
import { run } from "../local-registry.js";
import { CLIENTS, installClient, runClient, type InstalledClient } from "./client.js";

const tenon = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");

const SOURCE = `
import { Tool, type Cursor, type Page } from "@tenon/runtime";

const options = { readOnly: true, openWorld: false } as const;

export class Results {
  @Tool({ ...options, maxResultChars: 20_000 })
  limited(rows = 3_000_000): string { return "0123456789".repeat(rows); }
  @Tool(options)
  unlimited(): string { return "0123456789".repeat(3_000_000); }
  @Tool(options)
  long(): string { return "0123456789\\n".repeat(20_000); }
  @Tool(options)
  nothing(): void {}
  @Tool(options)
  empty(): string { return ""; }
  @Tool(options)
  missing(): string | undefined { return undefined; }
  @Tool(options)
  orders(cursor: Cursor<number>): Promise<Page<{ id: number }>> {
    const rest = [1, 2, 3, 4, 5].filter((id) => id > (cursor.position ?? 0)).map((id) => ({ id }));
    return cursor.page(rest, { size: 2, position: ({ id }) => id });
  }
}
`;

let folder: string;
let built: BuiltServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-clients-"));
  built = await buildServer({ "src/results.ts": SOURCE });
});
afterAll(() => {
  built?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A tool of the server and its arguments, which may depend on the results of the calls before. */
type Step = [tool: string, args?: object | ((results: string[]) => object)];

/** Returns a script that takes one step after another. Clients also request titles of conversations, without tools. */
function takeSteps(steps: Step[]): (request: ScriptedRequest) => ScriptedResponse {
  return ({ tools, results }) => {
    const [wanted, args = {}] = steps[results.length] ?? [];
    if (wanted === undefined || tools.length === 0) return { text: "Done." };
    const offered = tools.find(({ name }) => name.includes("results") && name.endsWith(wanted));
    if (offered === undefined) return { text: `No tool ${wanted}.` };
    return {
      calls: [{ tool: offered.name, arguments: typeof args === "function" ? args(results) : args }],
    };
  };
}

/** The start of the error in place of 30 MB without a limit, which each client passes to its model. */
const UNLIMITED =
  /The response has more than 10485760 bytes, which clients cannot read over stdio\. Request less, or let/;

/** The same for 220,000 characters in 20,000 lines: the start of the text, its end, or the path of a file that has it. */
const LONG: Record<string, RegExp> = {
  "claude-code": /exceeds maximum allowed tokens\. Output has been saved to/,
  gemini: /^Output too large\. Showing first 8,000 and last 32,000 characters\..*0123456789\s/s,
  codex: /0123456789.* truncated.*0123456789\s/s,
  opencode: /^(?:0123456789\n){2000}.*Full output saved to/s,
  qwen: /Full output saved to.*0123456789\s/s,
};

const nextPage: Step = ["orders", (results) => ({ cursor: readCursor(results.at(-1)) })];
const STEPS: Step[] = [
  ["limited"],
  ["limited", { rows: 10 }],
  ["nothing"],
  ["empty"],
  ["missing"],
  ["orders"],
  nextPage,
  nextPage,
  ["unlimited"],
  ["nothing"],
  ["long"],
];

describe.each(Object.entries(CLIENTS))("the model of %s", (name, { prompt }) => {
  let client: InstalledClient;
  /** The results of the steps, as the model reads them. */
  let results: string[];

  beforeAll(async () => {
    client = await installClient(name, join(folder, name));
    await run(process.execPath, [tenon, "install", name, "--name", "results"], built.root, client.env);
    const model = await startScriptedModel(takeSteps(STEPS));
    try {
      await runClient(client, prompt("Call the tools.", model.url), built.root);
    } finally {
      await model.close();
    }
    results = model.requests.at(-1)!.results;
  });
  afterAll(() => client?.remove());

  test("receives the result of each call", () => {
    expect(results).toHaveLength(STEPS.length);
  });

  test("learns from an error how to request less than 30 MB, and can do so", () => {
    expect(results[0]).toContain(
      "The result has 30,000,000 characters (about 7,500,000 tokens), but at most 20,000 are allowed. Request less: call the tool again with different values of `rows`.",
    );
    expect(results[1]).toContain("0123456789".repeat(10));
  });

  test("receives text for results without content", () => {
    expect(results[2]).toContain("Done.");
    expect(results[3]).toContain("The result is empty.");
    expect(results[4]).toContain("The result is empty.");
  });

  test("reads all pages", () => {
    const pages = results.slice(5, 8);
    expect(pages.map((page) => [...page.matchAll(/id\W+(\d)/g)].map(([, id]) => Number(id)))).toEqual([
      [1, 2],
      [3, 4],
      [5],
    ]);
    expect(pages.map((page) => readCursor(page) !== undefined)).toEqual([true, true, false]);
  });

  test("receives an error instead of a result of 30 MB if there is no limit, and can continue", () => {
    expect(results[8]).toMatch(UNLIMITED);
    expect(results[8]!.length).toBeLessThan(2000);
    expect(results[9]).toContain("Done.");
  });

  test("receives part of a long text result, or the path of a file that contains it", () => {
    expect(results[10]).toMatch(LONG[name]!);
    expect(results[10]!.length).toBeLessThan(50_000);
  });
});

/** Returns the cursor of a page, which some clients write as JSON in JSON. */
function readCursor(page = ""): string | undefined {
  return /nextCursor\W+([\w.-]+)/.exec(page)?.[1];
}
