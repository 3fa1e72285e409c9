import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { type StdioOutput, serveStdio } from "@tenon/runtime/stdio";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { collectGarbage } from "../support/collect-garbage.js";
import { quietServer } from "../support/describe-transports.js";
import { serverProgram } from "../support/server-program.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { createFixture } from "./fixture/application.js";
import { FIXTURE_ENTRY } from "./fixture/programs.js";

const program = await serverProgram(FIXTURE_ENTRY);

const call = (id: number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
const ping = (id: number): string => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });

/** Changes are announced four times a second. */
const DEFAULT_CHANGE_INTERVAL_MS = 250;
/** Time limits that calls do not reach, however slow the machine is. */
const PATIENT = { drainTimeoutMs: 60_000, stdinDrainTimeoutMs: 60_000 };

function start(limits: object = {}, args: string[] = [], env: object = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, FIXTURE_LIMITS: JSON.stringify({ ...PATIENT, ...limits }), ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Returns everything that the process writes until it exits, with its exit code or signal. */
async function outcome(child: ChildProcessWithoutNullStreams, onData?: (stdout: string) => void) {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    onData?.(stdout);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const messages = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as WireMessage);
  return { stdout, stderr, code, signal, messages, ids: messages.map((message) => message.id) };
}

describe("a server process over stdio", () => {
  test("responds to every request that it accepted before stdin ended, then exits with 0", async () => {
    const child = start();
    const count = 50;
    child.stdin.end(
      Array.from({ length: count }, (_, id) => `${call(id, "book", { city: "Oslo", days: 1 })}\n`).join(""),
    );
    const { ids, code } = await outcome(child);
    expect(code).toBe(0);
    expect(new Set(ids)).toEqual(new Set(Array.from({ length: count }, (_, id) => id)));
  });

  test("accepts a last line without a newline", async () => {
    const child = start();
    child.stdin.end(ping(1));
    expect((await outcome(child)).ids).toEqual([1]);
  });

  test("exits with 0 without any request", async () => {
    const child = start();
    child.stdin.end();
    expect(await outcome(child)).toMatchObject({ code: 0, stdout: "" });
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "responds to every request that it accepted before %s, then exits with 0",
    async (signal) => {
      const child = start();
      child.stdin.write(`${call(1, "hold")}\n${ping(2)}\n`);
      const {
        ids,
        code,
        signal: killedBy,
      } = await outcome(child, (stdout) => {
        if (stdout.includes('"id":2') && !child.killed) child.kill(signal);
      });
      expect({ ids, code, killedBy }).toEqual({ ids: [2, 1], code: 0, killedBy: null });
    },
  );

  describe.each([
    ["the end of stdin", { stdinDrainTimeoutMs: 100 }, (child) => child.stdin.end()],
    ["SIGTERM", { drainTimeoutMs: 100 }, (child) => child.kill("SIGTERM")],
    ["SIGINT", { drainTimeoutMs: 100 }, (child) => child.kill("SIGINT")],
  ] as [string, object, (child: ChildProcessWithoutNullStreams) => void][])("on %s", (_, limits, stop) => {
    test("aborts handlers that do not return, waits for the others, and exits with 0", async () => {
      const child = start(limits);
      child.stdin.write(`${call(1, "never")}\n${call(2, "wait")}\n${ping(3)}\n`);
      child.stdout.once("data", () => stop(child));
      const { code, ids, messages, stderr } = await outcome(child);
      expect({ code, ids, stderr }).toEqual({ code: 0, ids: [3, 2, 1], stderr: "" });
      expect(messages[1]?.result).toMatchObject({
        isError: true,
        content: [{ text: 'The tool "wait" was stopped. The server is shutting down.' }],
      });
      expect(messages[2]?.error).toEqual({ code: -32603, message: "The server is shutting down." });
    });

    test("does not wait forever for the disposal of an instance", async () => {
      const child = start(limits, [], { FIXTURE_DISPOSAL: "hangs" });
      child.stdin.write(`${ping(1)}\n`);
      child.stdout.once("data", () => stop(child));
      const { code, ids, stderr } = await outcome(child);
      expect({ code, ids }).toEqual({ code: 0, ids: [1] });
      expect(stderr).toMatch(/^WARNING: The disposal of \w+ took too long\.\n$/);
    });
  });

  test("exits when its client disconnects", async () => {
    const child = start();
    child.stdout.destroy();
    child.stdin.on("error", () => {});
    child.stdin.write(`${call(1, "big", { characters: 1_000_000 })}\n`);
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(0);
  });

  test("writes handlers' errors to stderr, under the reference the client received", async () => {
    const child = start();
    child.stdin.end(`${call(1, "fail", { how: "later" })}\n`);
    const { messages, stderr } = await outcome(child);
    const reference = /reference (\w{8})/.exec(JSON.stringify(messages))?.[1] ?? "none";
    expect(stderr).toContain(`[${reference}] The tool "fail" failed.`);
    expect(stderr).toContain("postgres://");
    expect(stderr).toMatch(/at .*server\.mjs/);
  });

  test("survives unhandled rejections", async () => {
    const child = start();
    child.stdin.end(`${call(1, "stray")}\n${call(2, "pause", { ms: 30 })}\n`);
    const { ids, code, stderr } = await outcome(child);
    expect({ ids, code }).toEqual({ ids: [1, 2], code: 0 });
    expect(stderr).toContain("thrown in a timer");
    expect(stderr).toContain("rejected by nobody");
  });

  test("writes nothing but messages to stdout", async () => {
    const child = start();
    child.stdin.end(`${call(1, "noisy")}\nno json\n${ping(2)}\n`);
    const { messages, stderr } = await outcome(child);
    expect(messages).toHaveLength(3);
    expect(stderr).toContain("console.log of a handler");
    expect(stderr).toContain("process.stdout.write of a handler");
  });

  test("rejects an overlong line and continues", async () => {
    const child = start({ maxLineBytes: 1000 });
    child.stdin.write(`${call(1, "lenient", { city: "x".repeat(5000) })}\n${ping(2)}\n`);
    child.stdin.end(`${"y".repeat(200_000)}\n${ping(3)}\n`);
    const { messages, code } = await outcome(child);
    expect(code).toBe(0);
    expect(messages.map((message) => message.error?.code ?? message.id)).toEqual([-32600, 2, -32600, 3]);
  });

  test("explains invalid options, and lists all with --help", async () => {
    const wrong = await outcome(start({}, ["--prot", "80"]));
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("--prot");
    expect(wrong.stderr).toContain("Usage:");
    expect(await outcome(start({}, ["--http", "--port", "eighty"]))).toMatchObject({ code: 2 });
    expect(await outcome(start({}, ["--port", "80"]))).toMatchObject({ code: 2 });
    expect(await outcome(start({}, ["--sse"]))).toMatchObject({ code: 2 });
    const help = spawn(process.execPath, [program, "--help"]);
    const [chunk] = (await once(help.stdout, "data")) as [Buffer];
    expect(chunk.toString()).toContain("--http");
  });
});

/** Creates a transport in this process. The test controls both ends of its streams. */
function converse(limits: object = {}, write?: (text: string) => boolean) {
  const input = new PassThrough();
  const listeners: Record<string, () => void> = {};
  let written = "";
  let writes = 0;
  const output: StdioOutput = {
    write: (text, onDone) => {
      written += text;
      if (text !== "") writes++;
      if (onDone !== undefined) setImmediate(onDone);
      return write?.(text) ?? true;
    },
    on: (event, listener) => {
      listeners[event] = listener;
    },
  };
  const server = quietServer(createFixture({ limits: { ...PATIENT, ...limits } }));
  const transport = serveStdio(server, { input, output });
  return {
    server,
    input,
    transport,
    emit: (event: "drain" | "error") => listeners[event]?.(),
    lines: () => written.split("\n").filter(Boolean),
    writes: () => writes,
    turn: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
  };
}

describe("the stdio transport", () => {
  test("sends only responses to a client that does not read, until it reads", async () => {
    let reads = true;
    const { server, input, lines, turn, emit } = converse({ maxStreamBufferBytes: 1000 }, () => reads);
    const count = () => lines().filter((line) => line.includes("list_changed")).length;
    const params = { protocolVersion: "2025-11-25", capabilities: {} };
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    await expect.poll(() => lines().length).toBe(1);
    reads = false;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const change = async (): Promise<void> => {
      server.notify.toolsChanged();
      await turn();
      await vi.advanceTimersByTimeAsync(DEFAULT_CHANGE_INTERVAL_MS);
    };
    for (let count = 0; count < 100; count++) await change();
    const countBefore = count();
    expect(countBefore).toBeGreaterThan(1);
    expect(countBefore).toBeLessThan(30);
    reads = true;
    emit("drain");
    await change();
    expect(count()).toBe(countBefore + 1);
  });

  test("joins characters and lines that chunks split anywhere", async () => {
    const bytes = Buffer.from(`${call(1, "lenient", { city: "São 🙂 東京" })}\r\n\n${ping(2)}\n`);
    const expected = [1, 2];
    for (let cut = 1; cut < bytes.length; cut++) {
      const { input, transport, lines } = converse();
      input.write(bytes.subarray(0, cut));
      input.end(bytes.subarray(cut));
      await transport.closed;
      expect(lines().map((line) => (JSON.parse(line) as WireMessage).id)).toEqual(expected);
      expect(lines()[0]).toContain("São 🙂 東京");
    }
  });

  test("rejects bytes that are not UTF-8, and continues", async () => {
    const { input, transport, lines } = converse();
    input.write(Buffer.from([0xff, 0xfe, 0x0a]));
    input.write(
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
        Buffer.from([0xc3]),
        Buffer.from('"}\n'),
      ]),
    );
    input.end(`${ping(2)}\n`);
    await transport.closed;
    expect(lines().map((line) => (JSON.parse(line) as WireMessage).error?.code)).toEqual([
      -32700,
      -32700,
      undefined,
    ]);
  });

  test("writes the responses of one turn of the event loop in a single write", async () => {
    const { input, lines, writes, turn } = converse();
    input.write(Array.from({ length: 64 }, (_, id) => `${call(id, "add", { a: id, b: 1 })}\n`).join(""));
    await turn();
    expect(lines()).toHaveLength(64);
    expect(writes()).toBe(1);
  });

  test("stops reading while its client does not read, with bounded buffers", async () => {
    let open = false;
    const { input, transport, emit, lines, turn } = converse({}, () => open);
    const replies = 2000;
    const request = Array.from(
      { length: replies },
      (_, id) => `${call(id, "big", { characters: 10_000 })}\n`,
    ).join("");
    input.write(request);
    await turn();
    const whileBlocked = lines().join("").length;
    expect(input.isPaused()).toBe(true);
    expect(whileBlocked).toBeLessThan(1_000_000);
    open = true;
    emit("drain");
    input.end();
    await transport.closed;
    expect(lines()).toHaveLength(replies);
  });

  test("replaces a response that is longer than a line may be with an error", async () => {
    const { input, lines, turn } = converse({ maxLineBytes: 1000 });
    input.write(`${call(1, "big", { characters: 2000 })}\n${call(2, "big", { characters: 400 })}\n`);
    // Three bytes for each character.
    input.write(`${call(3, "lenient", { city: "€".repeat(100) })}\n`);
    await vi.waitFor(() => expect(lines()).toHaveLength(3));
    await turn();
    const byId = new Map(
      lines()
        .map((line) => JSON.parse(line) as WireMessage)
        .map((each) => [each.id, each]),
    );
    expect(byId.get(1)?.error).toEqual({
      code: -32603,
      message:
        "The response has more than 1000 bytes, which clients cannot read over stdio. Request less, or let the " +
        "server return pages or resource links.",
    });
    expect(byId.get(2)?.result).toBeDefined();
    expect(byId.get(3)?.result).toBeDefined();
  });

  test("bounds an endless line", async () => {
    const { input, lines, turn } = converse({ maxLineBytes: 1000 });
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 200; round++) {
      input.write(Buffer.alloc(1_000_000, "x"));
      await turn();
    }
    expect(lines()).toHaveLength(1);
    collectGarbage();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  test("stops when its client disconnects", async () => {
    const { input, transport, emit, turn } = converse();
    let isClosed = false;
    void transport.closed.then(() => {
      isClosed = true;
    });
    input.write(`${call(1, "never")}\n`);
    await turn();
    expect(isClosed).toBe(false);
    emit("error");
    await turn();
    expect(isClosed).toBe(true);
  });
});
