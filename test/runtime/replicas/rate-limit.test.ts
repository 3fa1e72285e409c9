/** Rate limits apply to all servers that share a store together, for every kind of caller and in both eras. */
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { redis } from "@tenon/runtime/redis";
import { createServer, type Server } from "@tenon/runtime/server";
import { memoryStore, type SharedStore, sharedStore } from "@tenon/runtime/store";
import { connect } from "@tenon/runtime/testing";
import { apiKeys } from "@tenon/runtime/auth";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";
import { headersFor } from "../../support/wires.js";
import { createFixture } from "../fixture/application.js";

const MODERN = "2026-07-28";
const ERAS = ["2025-11-25", MODERN];
const SERVERS = 3;
const ALLOWED = 5;
const CALLS = 4 * SERVERS;

const KEYS = apiKeys({ "the-key-that-ada-has": "ada", "the-key-that-grace-has": "grace" });

const missing = missingRedis();
let server: RedisServer;

const KINDS: Record<string, () => () => SharedStore> = {
  "the memory of one process": () => {
    const store = memoryStore();
    return () => sharedStore(store);
  },
  ...(missing === undefined && { Redis: () => () => redis(server.url) }),
};

test.skipIf(missing === undefined)(`Redis is skipped: ${missing}`, () => {});

describe.each(Object.entries(KINDS))("in %s", (_, kind) => {
  beforeAll(async () => {
    if (missing === undefined) server = await RedisServer.start();
  });
  afterAll(async () => {
    if (missing === undefined) await server.close();
  });

  const open: Server[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    if (missing === undefined) await server.command("FLUSHALL");
  });

  function servers(config: object = {}): Server[] {
    const share = kind();
    const made = Array.from({ length: SERVERS }, () =>
      createServer(
        createFixture({
          log: "off",
          store: share(),
          rateLimit: { calls: ALLOWED, windowMs: 600_000 },
          ...config,
        }),
      ),
    );
    open.push(...made);
    return made;
  }

  /** Returns how many concurrent calls pass when each goes to a different server than the previous one. */
  async function countPassed(call: (index: number) => Promise<boolean>): Promise<number> {
    const results = await Promise.all(Array.from({ length: CALLS }, (_none, index) => call(index % SERVERS)));
    return results.filter(Boolean).length;
  }

  describe.each(ERAS)("in revision %s", (revision) => {
    test("a principal is limited on any connection", async () => {
      const all = servers();
      for (const subject of ["ada", "grace", "a}b{c"]) {
        const clients = await Promise.all(
          all.map((each) => connect(each, { revision, principal: { subject, issuer: "https://i" } })),
        );
        const count = await countPassed(
          async (index) => (await clients[index]!.callTool("add", { a: 1, b: 2 })).isError !== true,
        );
        expect(count, subject).toBe(ALLOWED);
      }
    });

    test("a connection is limited at each server separately", async () => {
      const clients = await Promise.all(servers().map((each) => connect(each, { revision })));
      for (let index = 0; index < CALLS; index += 1) {
        const client = clients[index % SERVERS]!;
        expect((await client.callTool("add", { a: 1, b: 2 })).isError).toBeUndefined();
      }
      expect((await clients[0]!.callTool("add", { a: 1, b: 2 })).isError).toBeUndefined();
      expect((await clients[0]!.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    });

    test.each([
      ["an address", {}, ["192.0.2.1", "192.0.2.2"]],
      ["an IPv6 network", {}, ["2001:db8:0:1::1", "2001:db8:0:2::1"]],
      ["a caller without an address", {}, [undefined]],
      ["a key", { auth: KEYS }, ["the-key-that-ada-has", "the-key-that-grace-has"]],
    ])("over HTTP, %s is limited", async (_caller, config, callers) => {
      const handlers = servers(config).map((each) =>
        createHttpHandler(each, { address: (_request, from?: string) => from }),
      );
      const isKey = "auth" in config;
      for (const caller of callers) {
        const from = isKey ? "192.0.2.9" : caller;
        const sends = await Promise.all(
          handlers.map((handler) => sender(handler, revision, from, isKey ? caller : undefined)),
        );
        expect(await countPassed(async (index) => (await sends[index]!()) === 200), String(caller)).toBe(
          ALLOWED,
        );
      }
    });
  });

  test("both eras are counted together, and limits of handlers separately from the server's", async () => {
    const all = servers();
    const clients = await Promise.all(
      all.map((each, index) => connect(each, { revision: ERAS[index % 2]!, principal: "ada" })),
    );
    expect(
      await countPassed(
        async (index) => (await clients[index]!.callTool("add", { a: 1, b: 2 })).isError !== true,
      ),
    ).toBe(ALLOWED);
  });
});

/** Returns a function that posts a call, in a session if the era has them, and returns the status of the response. */
async function sender(
  handler: HttpHandler<[string?]>,
  revision: string,
  from: string | undefined,
  token: string | undefined,
): Promise<() => Promise<number>> {
  const post = async (message: object, session?: string): Promise<Response> => {
    const whole = { jsonrpc: "2.0" as const, ...message };
    const headers = { ...headersFor(whole, session), ...(token && { authorization: `Bearer ${token}` }) };
    const init = { method: "POST", headers, body: JSON.stringify(whole) };
    const response = await handler(new Request("http://localhost/mcp", init), from);
    await response.clone().text();
    return response;
  };
  const params = { name: "add", arguments: { a: 1, b: 2 } };
  if (revision === MODERN) {
    const meta = "io.modelcontextprotocol";
    const _meta = { [`${meta}/protocolVersion`]: revision, [`${meta}/clientCapabilities`]: {} };
    return async () => (await post({ id: 1, method: "tools/call", params: { ...params, _meta } })).status;
  }
  const client = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const opened = await post({ id: 0, method: "initialize", params: client });
  const session = opened.headers.get("mcp-session-id") ?? "";
  await post({ method: "notifications/initialized" }, session);
  let id = 0;
  return async () => (await post({ id: ++id, method: "tools/call", params }, session)).status;
}
