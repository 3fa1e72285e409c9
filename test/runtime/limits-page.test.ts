/**
 * `LIMITS.md` against the defaults, and against what clients are told when they reach each limit.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Limits, ServerConfig } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Application, createServer } from "@tenon/runtime/server";
import { serveStdio } from "@tenon/runtime/stdio";
import { memoryStore, shared } from "@tenon/runtime/store";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../packages/runtime/src/assembly/limits.js";
import { durationText } from "../../packages/runtime/src/explain/duration-text.js";
import { eventually } from "../support/eventually.js";
import { headersFor } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { createFixture } from "./fixture/application.js";
import { heldCalls, release } from "./fixture/handlers.js";
import { createNotebook } from "./fixture/notebook.js";
import { createTasksFixture } from "./tasks/application.js";

const folder = join(import.meta.dirname, "../..");
const page = readFileSync(join(folder, "packages/runtime/LIMITS.md"), "utf8");
const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
  ([, name = "", shown = "", bounds = "", told = ""]) => ({ name, shown, bounds, told }),
);
const toldOf = (name: string): string | undefined => rows.find((row) => row.name === name)?.told;

afterEach(() => release());

/** What a limit is shown as. */
function shown(name: string, value: number): string {
  const isBinary = name.endsWith("Bytes");
  if (isBinary) return `${value / 1024 / 1024} MiB`;
  if (!name.endsWith("Ms")) return String(value);
  return value === 0 ? "none" : durationText(value);
}

test("every limit has a row, in order, with its default", () => {
  expect(rows.map(({ name, shown: text }) => [name, text])).toEqual(
    Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, shown(name, value as number)]),
  );
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

/** A server over HTTP, and what it says in answer to a message. */
function over(application: Application) {
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
  const said = async (answer: Promise<Response> | Response): Promise<string> => cell(await answer);
  return { send, open, said };
}

/** What the page has for an answer. */
async function cell(response: Response): Promise<string> {
  const { error, result } = (await response.json()) as Message;
  if (error === undefined) return `\`isError\`: ${textOf(result)}`;
  const after = response.headers.get("retry-after");
  const status = `\`${response.status}\`${after === null ? "" : ` with \`Retry-After: ${after}\``}`;
  return `${status}, \`${error.code}\`: ${error.message}`;
}

function textOf(result: Record<string, unknown> = {}): string {
  expect(result).toMatchObject({ isError: true });
  return (result["content"] as { text: string }[])[0]!.text;
}

const fixture = (limits: Partial<Limits>, config: ServerConfig = {}) =>
  over(createFixture({ log: "off", limits, ...config }));
const notebook = (limits: Partial<Limits>) => over(createNotebook({ log: "off", limits }));

const listen = (uris: readonly string[]): object =>
  modern("subscriptions/listen", { notifications: { resourceSubscriptions: uris } });

/** What clients are told who reach a limit. What differs from call to call is `N`, `T` and `x` on the page. */
const REACHED: Partial<Record<keyof Limits, () => Promise<string>>> = {
  bodyBytes: async () => {
    const { send, said } = fixture({ bodyBytes: 100 });
    return (await said(send(call("nothing")))).replace("100", "N");
  },
  lineBytes: async () => {
    const input = new PassThrough();
    const lines: string[] = [];
    const output = { write: (text: string) => (lines.push(text), true), on: () => undefined };
    void serveStdio(createServer(createFixture({ limits: { lineBytes: 100 } })), { input, output });
    input.write(`${JSON.stringify(call("nothing"))}\n`);
    await eventually(async () => expect(lines.join("")).toContain("\n"));
    input.end();
    const { error } = JSON.parse(lines[0]!) as Message;
    return `\`${error?.code}\`: ${error?.message}`.replace("100", "N");
  },
  batchMessages: async () => {
    const { send, open, said } = fixture({ batchMessages: 1 });
    const batch = [legacy("ping"), legacy("ping")];
    return (await said(send(batch, await open("2025-03-26")))).replace("1 messages", "N messages");
  },
  depth: async () => {
    const { send, said } = fixture({ depth: 5 });
    return (await said(send(call("nothing", { a: { b: { c: { d: {} } } } })))).replace("5", "N");
  },
  values: async () => {
    const { send, said } = fixture({ values: 20 });
    return (await said(send(call("nothing", { a: Array(20).fill(0) })))).replace("20)", "N)");
  },
  sessions: async () => {
    const { open, send, said } = fixture({ sessions: 1 });
    const held = send(legacy("tools/call", { name: "hold", arguments: {} }), await open());
    await eventually(async () => expect(heldCalls()).toBe(1));
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const text = await said(send(legacy("initialize", params)));
    release();
    await held;
    return text;
  },
  subscriptions: async () => {
    const { send, said } = notebook({ subscriptions: 1 });
    const first = await send(listen([]));
    const text = await said(send(listen([])));
    await first.body?.cancel();
    return text;
  },
  subscribedResources: async () => {
    const { send, said } = notebook({ subscribedResources: 1 });
    return (await said(send(listen(["note://1", "note://2"])))).replace("1", "N");
  },
  calls: async () => {
    const { open, send, said } = fixture({ calls: 1 });
    const session = await open();
    const held = send(legacy("tools/call", { name: "hold", arguments: {} }), session);
    await eventually(async () => expect(heldCalls()).toBe(1));
    const text = await said(send(legacy("tools/list"), session));
    release();
    await held;
    return text;
  },
  callsPerCaller: async () => {
    const { send, said } = fixture({ callsPerCaller: 1 });
    const held = send(call("hold"));
    await eventually(async () => expect(heldCalls()).toBe(1));
    const text = await said(send(call("nothing")));
    release();
    await held;
    return text.replace("1 are", "N are");
  },
  callMs: async () => {
    const { send, said } = fixture({ callMs: 1 });
    return (await said(send(call("never")))).replace("1 ms", "T").replace("never", "x");
  },
  answerMs: async () => {
    const server = createServer(createAskingFixture({ log: "off", limits: { answerMs: 1 } }));
    const answers = { elicit: () => new Promise<never>(() => undefined) };
    const client = await connect(server, { revision: "2025-11-25", answers });
    return `\`isError\`: ${textOf({ ...(await client.callTool("greet")) })}`.replace("1 ms", "T");
  },
  tasks: async () => {
    const { send, said } = over(createTasksFixture({ log: "off", limits: { tasks: 1 } }));
    await send(call("compute", { ms: 20 }));
    return said(send(call("compute", { ms: 20 })));
  },
  taskBytes: async () => {
    const config = { log: "off" as const, store: shared(memoryStore()), limits: { taskBytes: 300 } };
    const { send, said } = over(createTasksFixture(config));
    return (await said(send(call("echo", { text: "x".repeat(300) })))).replace("300", "N");
  },
  taskMs: async () => {
    const { send, said } = over(createTasksFixture({ log: "off", limits: { taskMs: 1 } }));
    const { result } = (await (await send(call("compute", { ms: 20 }))).json()) as Message;
    const get = () => said(send(modern("tasks/get", { taskId: result?.["taskId"] })));
    await eventually(async () => expect(await get()).toContain("expired"));
    return get();
  },
};

/** Where the others are reached: there is no answer that would tell of them. */
const REACHED_ELSEWHERE: Partial<Record<keyof Limits, readonly [file: string, test: string]>> = {
  sessionIdleMs: ["http/http.test.ts", "ends by itself when nobody uses it"],
  sessionMs: ["http/encrypted-session-ids.test.ts", "once it is too old, be it known already or not"],
  streamBytes: ["stdio.test.ts", "sends nothing but answers to a client that does not read, until it reads"],
  replayBytes: ["http/lost-streams.test.ts", "replayBytes: 700"],
  drainMs: ["listen.test.ts", "drainMs: 60_000"],
  stdinDrainMs: ["listen.test.ts", "stdinDrainMs: 60_000"],
  countedCallers: [
    "rate-limit.test.ts",
    "a flood of addresses neither frees one of them nor takes more room",
  ],
};

test("every limit is reached by a test", () => {
  const reached = [...Object.keys(REACHED), ...Object.keys(REACHED_ELSEWHERE)];
  expect(reached.sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

describe("who reaches a limit is told what the page says", () => {
  test.each(Object.entries(REACHED))("%s", async (name, reach) => {
    expect(await reach()).toBe(toldOf(name));
  });

  test("a rate limit", async () => {
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

test.each(Object.entries(REACHED_ELSEWHERE))("%s is reached elsewhere", (_name, [file, title]) => {
  expect(readFileSync(join(import.meta.dirname, file), "utf8")).toContain(title);
});
