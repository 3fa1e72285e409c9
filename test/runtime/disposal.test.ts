import type { LogEntry } from "@tenon/runtime";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { headersFor } from "../support/wires.js";
import { ADDRESS_CALL } from "./fixture/address-call.js";
import { createFixture } from "./fixture/application.js";
import { createTasksFixture } from "./tasks/application.js";
import { Jobs } from "./tasks/handlers.js";

/** Closes a server with these instances, and returns what it logged. */
async function close(provide: object[], withinMs?: number): Promise<string[]> {
  const logged: LogEntry[] = [];
  const server = createServer(createTasksFixture({ provide, log: (entry) => void logged.push(entry) }));
  await server.close(withinMs);
  return logged.map(({ msg, err }) => (err === undefined ? msg : `${msg} ${err.message}`));
}

class Held extends Jobs {
  constructor(
    private readonly lines: string[],
    private readonly end: () => Promise<void> = async () => {},
  ) {
    super();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.lines.push("handlers");
    await this.end();
  }
}

class Pool {
  constructor(
    private readonly lines: string[],
    private readonly end: () => void | Promise<void> = () => {},
  ) {}
  async [Symbol.asyncDispose](): Promise<void> {
    this.lines.push("pool");
    await this.end();
  }
}

const plain = (lines: string[]): Disposable => ({ [Symbol.dispose]: () => void lines.push("plain object") });

test("an instance is disposed of before those it uses, including instances that serve nothing", async () => {
  const lines: string[] = [];
  expect(await close([plain(lines), new Pool(lines), new Held(lines)])).toEqual([]);
  expect(lines).toEqual(["handlers", "pool", "plain object"]);
});

test("an instance whose disposal fails is reported, and the others are disposed of", async () => {
  const lines: string[] = [];
  const fails = new Held(lines, () => Promise.reject(new Error("The lock is gone.")));
  const throws = new Pool(lines, () => {
    // oxlint-disable-next-line no-throw-literal
    throw "no error at all";
  });
  const logged = await close([plain(lines), throws, fails]);
  expect(logged).toEqual([
    "The disposal of Held failed. The lock is gone.",
    "The disposal of Pool failed. no error at all",
  ]);
  expect(lines).toEqual(["handlers", "pool", "plain object"]);
});

test("an instance whose disposal hangs is named, and the others are disposed of", async () => {
  const lines: string[] = [];
  const logged = await close([new Pool(lines), new Held(lines, () => new Promise(() => {}))], 100);
  expect(logged).toEqual([expect.stringMatching(/^The disposal of Held took too long\.$/)]);
  expect(lines).toEqual(["handlers", "pool"]);
});

test("an instance that exceeds its share of the time may use the time that others left", async () => {
  const lines: string[] = [];
  let end: () => void = () => {};
  const slow = new Held(lines, () => new Promise((resolve) => (end = resolve)));
  expect(await close([new Pool(lines, () => end()), slow], 1000)).toEqual([]);
  expect(lines).toEqual(["handlers", "pool"]);
});

test("instances that serve no call are reported, but not those that are only disposed of", async () => {
  const lines: string[] = [];
  const idle = [new Held(lines), new Held(lines), new Held(lines), new Pool(lines), new Pool(lines)];
  expect(await close(idle)).toEqual([
    "`provide` contains several instances of Held. The first serves all calls, and the others serve none.",
  ]);
});

test("instances are disposed of once, however often the server is closed", async () => {
  const lines: string[] = [];
  const server = createServer(createTasksFixture({ provide: [new Held(lines)], log: "off" }));
  await Promise.all([server.close(), server.close()]);
  await server.close();
  expect(lines).toEqual(["handlers"]);
});

describe("a server that closes while it is mounted", () => {
  const send = async (handle: HttpHandler, name: string): Promise<{ status: number; message: unknown }> => {
    const { params, ...rest } = ADDRESS_CALL;
    const message = { ...rest, params: { ...params, name } };
    const init = { method: "POST", headers: headersFor(message), body: JSON.stringify(message) };
    const response = await handle(new Request("http://localhost/mcp", init));
    return { status: response.status, message: await response.json() };
  };
  const closed = { error: { code: -32603, message: "The server is shutting down." } };

  test("sends an error for each call in progress, and for each later call", async () => {
    const server = quietServer(createFixture());
    const handle = createHttpHandler(server);
    const waiting = send(handle, "wait");
    await new Promise(setImmediate);
    await server.close();
    expect(await waiting).toMatchObject({ status: 200, message: closed });
    expect(await send(handle, "address")).toMatchObject({ status: 503, message: closed });
  });
});
