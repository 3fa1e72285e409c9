/**
 * The check that all other tests rely on: over every transport, it reports the messages of a server that the
 * specification forbids, and no others.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import type { Application, Server } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { serveStdio } from "@tenon/runtime/stdio";
import { connect } from "@tenon/runtime/testing";
import { afterAll, describe, expect, test } from "vitest";
import { createFixture } from "../runtime/fixture/application.js";
import { quietServer, REVISIONS } from "../support/describe-transports.js";
import { serverProgram } from "../support/server-program.js";
import { type Wire, WireClient } from "../support/wire-client.js";
import { headersFor, httpWire, memoryWire, readEvents, stdioWire } from "../support/wires.js";
import { WireCheck } from "./check.mjs";
import { createWrongFixture } from "./fixture/application.js";
import { createRecorder, FOLDER_VARIABLE } from "./recorder.mjs";
import { describeCounts, summarize } from "./run-folder.mjs";
import { writeSummary } from "./summary.mjs";

const LATEST = "2026-07-28";
const folder = mkdtempSync(join(tmpdir(), "tenon-wire-test-"));
const programs = {
  right: await serverProgram(join(import.meta.dirname, "../runtime/fixture/serve.ts")),
  wrong: await serverProgram(join(import.meta.dirname, "fixture/serve.ts")),
  caller: await serverProgram(join(import.meta.dirname, "fixture/call.ts")),
};
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the problems in the messages sent during an action, and hides these messages from the check of this test itself. */
async function findProblems(action: () => Promise<unknown>): Promise<WireCheck & { all: string[] }> {
  const own = process.env[FOLDER_VARIABLE];
  const elsewhere = mkdtempSync(join(folder, "said-"));
  process.env[FOLDER_VARIABLE] = elsewhere;
  try {
    await action();
  } finally {
    process.env[FOLDER_VARIABLE] = own;
  }
  const check = new WireCheck(elsewhere);
  return Object.assign(check, { all: check.problems() });
}

interface Subject {
  entry: string;
  server(): Server;
}

const subject = (application: () => Application, entry: string): Subject => ({
  entry,
  server: () => quietServer(application()),
});
const right = subject(createFixture, programs.right);
const wrong = subject(createWrongFixture, programs.wrong);

/** Lists the tools, which are valid or invalid. */
async function listBy(wire: Wire, revision: string): Promise<void> {
  const client = new WireClient(wire, { revision });
  await client.open();
  await client.result("tools/list");
  await client.close();
}

const LIST = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/list",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": LATEST,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};
const asEvents = { ...headersFor(LIST), accept: "text/event-stream" };

/** Every way in which tests connect to a server, with the channel in which its messages are counted. */
const WAYS: [name: string, counted: string, list: (subject: Subject) => Promise<void>][] = [
  ["a process over stdio", "stdio", ({ entry }) => listBy(stdioWire(entry), LATEST)],
  [
    "serveStdio with streams",
    "stdio",
    async ({ server }) => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const transport = serveStdio(server(), { input, output });
      input.end(JSON.stringify(LIST));
      await transport.closed;
    },
  ],
  [
    "connect of the testing module",
    "memory",
    async ({ server }) => void (await (await connect(server())).listTools()),
  ],
  [
    "a process that calls its own server",
    "memory",
    async ({ entry }) => {
      const child = spawn(process.execPath, [programs.caller, entry === programs.wrong ? "wrong" : "right"]);
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  ],
  [
    "a connection of the server's own",
    "memory",
    async ({ server }) => {
      const peer = { send() {} };
      const connection = server().connect(peer);
      await connection.receive(LIST, peer);
      connection.close();
    },
  ],
  ["a connection handed over as text", "memory", ({ server }) => listBy(memoryWire(server()), LATEST)],
  ["HTTP, as JSON", "http: json", (given) => overHttp(given, (url) => listBy(httpWire(url, fetch), LATEST))],
  [
    "HTTP of a process, as JSON",
    "http: json",
    async ({ entry }) => {
      const child = spawn(process.execPath, [entry, "--http", "--port", "0"]);
      const [line] = (await once(child.stderr, "data")) as [Buffer];
      await listBy(httpWire(/http:\S+/.exec(line.toString())?.[0] ?? "", fetch), LATEST);
      child.kill();
      await once(child, "exit");
    },
  ],
  [
    "HTTP, as events",
    "http: events",
    (given) =>
      overHttp(given, async (url) => {
        await (await fetch(url, { method: "POST", headers: asEvents, body: JSON.stringify(LIST) })).text();
      }),
  ],
  [
    "HTTP+SSE",
    "http: events",
    (given) => overHttp(given, (url) => listOverSse((path, init) => fetch(new URL(path, url), init))),
  ],
  [
    "a web handler, as JSON",
    "web: json",
    async ({ server }) => {
      const handle = createHttpHandler(server());
      await listBy(
        httpWire("http://localhost/mcp", (url, init) => handle(new Request(url, init))),
        LATEST,
      );
      await handle.close();
    },
  ],
  [
    "a web handler, as events",
    "web: events",
    async ({ server }) => {
      const handle = createHttpHandler(server());
      const init = { method: "POST", headers: asEvents, body: JSON.stringify(LIST) };
      await (await handle(new Request("http://localhost/mcp", init))).text();
      await handle.close();
    },
  ],
  [
    "a web handler of HTTP+SSE",
    "web: events",
    async ({ server }) => {
      const handle = createSseHandler(server());
      await listOverSse((path, init) => handle(new Request(new URL(path, "http://localhost"), init)));
      await handle.close();
    },
  ],
];

async function overHttp({ server }: Subject, action: (url: string) => Promise<void>): Promise<void> {
  const listener = await listen(server(), { port: 0, sse: true });
  await action(listener.url);
  await listener.close();
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Opens a stream, requests the tools over it, and closes it after the response. */
async function listOverSse(send: Send): Promise<void> {
  const stream = await send("/sse", { headers: { accept: "text/event-stream" } });
  const headers = { "content-type": "application/json" };
  const left = new Error("The client has left.");
  await readEvents(stream, (data) => {
    if (!data.startsWith("/")) throw left;
    void send(data, { method: "POST", headers, body: JSON.stringify(LIST) });
  }).catch((error: unknown) => expect(error).toBe(left));
}

describe.each(WAYS)("over %s", (_, counted, list) => {
  test("an invalid message is detected", async () => {
    const check = await findProblems(() => list(wrong));
    expect(check.all).toEqual([
      expect.stringMatching(
        /^Not a valid ListToolsResult of 2026-07-28: \/tools\/0\/description must be string/,
      ) as string,
    ]);
  });

  test("a valid message is accepted", async () => {
    const check = await findProblems(() => list(right));
    expect(check.all).toEqual([]);
    // The messages are counted in one channel only.
    expect(Object.keys(check.counts)).toEqual([counted]);
  });
});

test.each(REVISIONS)("an invalid message is detected at %s", async (revision) => {
  for (const wire of [() => stdioWire(programs.wrong), () => memoryWire(wrong.server())]) {
    const check = await findProblems(() => listBy(wire(), revision));
    expect(check.all).toEqual([
      expect.stringContaining(`Not a valid ListToolsResult of ${revision}`) as string,
    ]);
  }
  const check = await findProblems(() => overHttp(wrong, (url) => listBy(httpWire(url, fetch), revision)));
  expect(check.all).toEqual([
    expect.stringContaining(`Not a valid ListToolsResult of ${revision}`) as string,
  ]);
});

test("text that is not a message is detected on the stdout of a server", async () => {
  const { all } = await findProblems(async () => {
    const noisy = `console.log("Starting!"); process.stdin.once("data", () => {
      console.log('{"jsonrpc":"2.0","id":1,"result":{}}'); process.exit(); })`;
    const child = spawn(process.execPath, ["-e", noisy]);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await once(child, "exit");
  });
  expect(all).toEqual([expect.stringMatching(/^Not JSON\.\n {2}Starting!/) as string]);
});

test("output of programs that are not servers is not checked", async () => {
  const check = await findProblems(async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.pipe(process.stdout)"]);
    child.stdin.end("hello\n");
    await once(child, "exit");
  });
  expect([check.all, describeCounts(check.counts)]).toEqual([[], "0 messages of servers checked ()"]);
});

test("messages sent after a test file has ended are checked, and every message is counted", () => {
  const run = mkdtempSync(join(folder, "run-"));
  const [early, late] = [join(run, "early"), join(run, "late")];
  for (const each of [early, late]) {
    const note = createRecorder(each)({ way: "memory" });
    note({ received: LIST });
    const check = new WireCheck(each);
    expect(check.problems()).toEqual([]);
    const answer = (result: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, result });
    if (each === late) writeSummary(each, { file: "some.test.ts", bytes: check.bytes, counts: { stdio: 2 } });
    note({ sent: answer({}) });
  }
  const problem = expect.stringMatching(/^Not a valid JSONRPCResultResponse/) as string;
  expect(summarize(run)).toEqual({ counts: { memory: 1, stdio: 2 }, late: [problem, problem] });
  expect(summarize(run).late.filter((each) => each.endsWith("after some.test.ts"))).toHaveLength(1);
});
