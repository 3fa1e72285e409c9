/**
 * The page on limits, compared with the defaults and with the responses to clients that reach each limit.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Limits, ServerConfig } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Application, createServer } from "@tenon/runtime/server";
import { serveStdio } from "@tenon/runtime/stdio";
import { memoryStore, sharedStore } from "@tenon/runtime/store";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test } from "vitest";
// Internal: the defaults are published by the page alone.
import { DEFAULT_LIMITS } from "../../packages/runtime/src/call/assembly/limits.js";
// Internal: the page has durations in the same words as messages.
import { formatDuration } from "../../packages/runtime/src/data/explanations/format-duration.js";
import { eventually } from "../support/eventually.js";
import { headersFor } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { createFileServer } from "./files/application.js";
import { createFixture } from "./fixture/application.js";
import { heldCalls, release } from "./fixture/src/handlers.js";
import { createNotebook } from "./fixture/notebook.js";
import { createTasksFixture } from "./tasks/application.js";

const folder = join(import.meta.dirname, "../..");
const page = readFileSync(join(folder, "packages/docs/reference/limits.md"), "utf8");
const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
  ([, name = "", shown = "", bounds = "", response = ""]) => ({ name, shown, bounds, response }),
);
const findResponse = (name: string): string | undefined => rows.find((row) => row.name === name)?.response;

afterEach(() => release());

/** Returns the text that the page shows for a limit. */
function formatLimit(name: string, value: number): string {
  const isBinary = name.endsWith("Bytes");
  if (isBinary) return `${value / 1024 / 1024} MiB`;
  if (value === 0) return "none";
  return name.endsWith("Ms") ? formatDuration(value) : String(value);
}

test("every limit has a row, in order, with its default", () => {
  expect(rows.map(({ name, shown: text }) => [name, text])).toEqual(
    Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, formatLimit(name, value as number)]),
  );
});

test("a server stops before clients and containers would kill it", () => {
  expect(DEFAULT_LIMITS.stdinDrainTimeoutMs).toBeLessThan(2000);
  expect(DEFAULT_LIMITS.drainTimeoutMs).toBeLessThan(8000);
});

type Message = {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

const META = "io.modelcontextprotocol";
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const MODERN = { [`${META}/protocolVersion`]: "2026-07-28", [`${META}/clientCapabilities`]: TASKS };

let nextId = 1;
const modern = (method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id: nextId++,
  method,
  params: { ...params, _meta: MODERN },
});
const legacy = (method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id: nextId++,
  method,
  params,
});
const call = (name: string, args: object = {}): object => modern("tools/call", { name, arguments: args });

/** Serves over HTTP, and returns functions that send messages and read the responses as cells of the page. */
function serveOverHttp(application: Application) {
  const handle = createHttpHandler(createServer(application), { address: () => "192.0.2.1" });
  const send = (message: unknown, more: Record<string, string> = {}): Promise<Response> => {
    const accept = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const headers = Array.isArray(message) ? accept : headersFor(message as Parameters<typeof headersFor>[0]);
    const init = { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(message) };
    return handle(new Request("http://localhost/mcp", init));
  };
  const open = async (protocolVersion = "2025-11-25"): Promise<Record<string, string>> => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const response = await send(legacy("initialize", params));
    const session = response.headers.get("mcp-session-id") ?? "";
    return { "mcp-session-id": session, "mcp-protocol-version": protocolVersion };
  };
  const readCell = async (answer: Promise<Response> | Response): Promise<string> => cell(await answer);
  return { send, open, readCell };
}

/** Returns the table cell of the page for a response. */
async function cell(response: Response): Promise<string> {
  const { error, result } = (await response.json()) as Message;
  if (error === undefined) return `\`isError\`: ${getText(result)}`;
  const after = response.headers.get("retry-after");
  const status = `\`${response.status}\`${after === null ? "" : ` with \`Retry-After: ${after}\``}`;
  return `${status}, \`${error.code}\`: ${error.message}`;
}

function getText(result: Record<string, unknown> = {}): string {
  expect(result).toMatchObject({ isError: true });
  return (result["content"] as { text: string }[])[0]!.text;
}

const fixture = (limits: Partial<Limits>, config: ServerConfig = {}) =>
  serveOverHttp(createFixture({ log: "off", limits, ...config }));
const notebook = (limits: Partial<Limits>) => serveOverHttp(createNotebook({ log: "off", limits }));

const listen = (uris: readonly string[]): object =>
  modern("subscriptions/listen", { notifications: { resourceSubscriptions: uris } });

/** Responses to clients that reach a limit. The page shows values that differ from call to call as `N`, `T`, and `x`. */
const REACHED: Partial<Record<keyof Limits, () => Promise<string>>> = {
  maxBodyBytes: async () => {
    const { send, readCell } = fixture({ maxBodyBytes: 100 });
    return (await readCell(send(call("nothing")))).replace("100", "N");
  },
  maxLineBytes: async () => {
    const input = new PassThrough();
    const lines: string[] = [];
    const output = { write: (text: string) => (lines.push(text), true), on: () => undefined };
    void serveStdio(createServer(createFixture({ limits: { maxLineBytes: 100 } })), { input, output });
    input.write(`${JSON.stringify(call("nothing"))}\n`);
    await eventually(async () => expect(lines.join("")).toContain("\n"));
    input.end();
    const { error } = JSON.parse(lines[0]!) as Message;
    return `\`${error?.code}\`: ${error?.message}`.replace("100", "N");
  },
  maxBatchMessages: async () => {
    const { send, open, readCell } = fixture({ maxBatchMessages: 1 });
    const batch = [legacy("ping"), legacy("ping")];
    return (await readCell(send(batch, await open("2025-03-26")))).replace("1 messages", "N messages");
  },
  maxDepth: async () => {
    const { send, readCell } = fixture({ maxDepth: 5 });
    return (await readCell(send(call("nothing", { a: { b: { c: { d: {} } } } })))).replace("5", "N");
  },
  maxValues: async () => {
    const { send, readCell } = fixture({ maxValues: 20 });
    return (await readCell(send(call("nothing", { a: Array(20).fill(0) })))).replace("20)", "N)");
  },
  maxSessions: async () => {
    const { open, send, readCell } = fixture({ maxSessions: 1 });
    const pending = send(legacy("tools/call", { name: "hold", arguments: {} }), await open());
    await eventually(async () => expect(heldCalls()).toBe(1));
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const text = await readCell(send(legacy("initialize", params)));
    release();
    await pending;
    return text;
  },
  maxSubscriptions: async () => {
    const { send, readCell } = notebook({ maxSubscriptions: 1 });
    const first = await send(listen([]));
    const text = await readCell(send(listen([])));
    await first.body?.cancel();
    return text;
  },
  maxSubscribedResources: async () => {
    const { send, readCell } = notebook({ maxSubscribedResources: 1 });
    return (await readCell(send(listen(["note://1", "note://2"])))).replace("1", "N");
  },
  maxConcurrentRequests: async () => {
    const { open, send, readCell } = fixture({ maxConcurrentRequests: 1 });
    const session = await open();
    const pending = send(legacy("tools/call", { name: "hold", arguments: {} }), session);
    await eventually(async () => expect(heldCalls()).toBe(1));
    const text = await readCell(send(legacy("tools/list"), session));
    release();
    await pending;
    return text;
  },
  maxConcurrentCallsPerCaller: async () => {
    const { send, readCell } = fixture({ maxConcurrentCallsPerCaller: 1 });
    const pending = send(call("hold"));
    await eventually(async () => expect(heldCalls()).toBe(1));
    const text = await readCell(send(call("nothing")));
    release();
    await pending;
    return text.replace("1 are", "N are");
  },
  callTimeoutMs: async () => {
    const { send, readCell } = fixture({ callTimeoutMs: 1 });
    return (await readCell(send(call("never")))).replace("1 ms", "T").replace("never", "x");
  },
  inputTimeoutMs: async () => {
    const server = createServer(createAskingFixture({ log: "off", limits: { inputTimeoutMs: 1 } }));
    const answers = { elicit: () => new Promise<never>(() => undefined) };
    const client = await connect(server, { revision: "2025-11-25", answers });
    return `\`isError\`: ${getText({ ...(await client.callTool("greet")) })}`.replace("1 ms", "T");
  },
  maxTasks: async () => {
    const { send, readCell } = serveOverHttp(createTasksFixture({ log: "off", limits: { maxTasks: 1 } }));
    await send(call("compute", { ms: 20 }));
    return readCell(send(call("compute", { ms: 20 })));
  },
  maxEmbeddedFileBytes: async () => {
    const { send, readCell } = serveOverHttp(
      createFileServer({ log: "off", limits: { maxEmbeddedFileBytes: 10 } }),
    );
    return readCell(send(call("large", { size: 11 })));
  },
  maxTaskBytes: async () => {
    const config = { log: "off" as const, store: sharedStore(memoryStore()), limits: { maxTaskBytes: 300 } };
    const { send, readCell } = serveOverHttp(createTasksFixture(config));
    return (await readCell(send(call("echo", { text: "x".repeat(300) })))).replace("300", "N");
  },
  taskLifetimeMs: async () => {
    const { send, readCell } = serveOverHttp(
      createTasksFixture({ log: "off", limits: { taskLifetimeMs: 1 } }),
    );
    const { result } = (await (await send(call("compute", { ms: 20 }))).json()) as Message;
    const get = () => readCell(send(modern("tasks/get", { taskId: result?.["taskId"] })));
    await eventually(async () => expect(await get()).toContain("expired"));
    return get();
  },
};

/** The tests of the other limits, which no response reveals. */
const REACHED_ELSEWHERE: Partial<Record<keyof Limits, readonly [file: string, test: string]>> = {
  sessionIdleTimeoutMs: ["http/http.test.ts", "ends by itself if it is unused"],
  sessionLifetimeMs: [
    "http/encrypted-session-ids.test.ts",
    "is rejected when it is too old, whether the process knows it or not",
  ],
  maxStreamBufferBytes: [
    "stdio.test.ts",
    "sends only responses to a client that does not read, until it reads",
  ],
  maxReplayBytes: ["http/lost-streams.test.ts", "maxReplayBytes: 700"],
  drainTimeoutMs: ["listen.test.ts", "drainTimeoutMs: 60_000"],
  stdinDrainTimeoutMs: ["listen.test.ts", "stdinDrainTimeoutMs: 60_000"],
  maxResultChars: ["../e2e/result-limits.test.ts", "replaces a result of 30 megabytes with a short error"],
  maxDownloadBytes: ["download.test.ts", "ends early if it is too large"],
  downloadTimeoutMs: ["download.test.ts", "ends if it takes too long"],
  maxTrackedCallers: ["rate-limit.test.ts", "is neither reset nor enlarged by a flood of addresses"],
};

test("every limit is reached by a test", () => {
  const reached = [...Object.keys(REACHED), ...Object.keys(REACHED_ELSEWHERE)];
  expect(reached.sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

describe("a client that reaches the limit receives the documented response", () => {
  test.each(Object.entries(REACHED))("%s", async (name, reach) => {
    expect(await reach()).toBe(findResponse(name));
  });

  test("rateLimit", async () => {
    const { manifest, ...rest } = createFixture({ log: "off" });
    const rateLimit = { calls: 5, windowMs: 60_000 };
    const tools = manifest.tools.map((tool) => ({ ...tool, rateLimit }));
    let time = 0;
    const server = createServer({ ...rest, manifest: { ...manifest, tools } }, { now: () => time });
    const handle = createHttpHandler(server);
    const send = () => {
      const message = call("nothing") as Parameters<typeof headersFor>[0];
      const init = { method: "POST", headers: headersFor(message), body: JSON.stringify(message) };
      return handle(new Request("http://localhost/mcp", init));
    };
    for (let count = 0; count < 5; count++) await send();
    time = 48_000;
    expect(page).toContain((await cell(await send())).replace("nothing", "x"));
  });
});

test.each(Object.entries(REACHED_ELSEWHERE))(
  "%s is reached by a test in another file",
  (_name, [file, title]) => {
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).toContain(title);
  },
);
