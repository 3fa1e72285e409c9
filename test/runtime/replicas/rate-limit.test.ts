/** Limits hold for all servers that share a store together, whoever calls and in whatever era. */
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { redis } from "@tenon/runtime/redis";
import { createServer, type Server } from "@tenon/runtime/server";
import { memoryStore, type Sharing, shared } from "@tenon/runtime/store";
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

const KINDS: Record<string, () => () => Sharing> = {
  "the memory of one process": () => {
    const store = memoryStore();
    return () => shared(store);
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

  /** How many of many calls at once pass, each at another server than the one before. */
  async function passed(call: (index: number) => Promise<boolean>): Promise<number> {
    const results = await Promise.all(Array.from({ length: CALLS }, (_none, index) => call(index % SERVERS)));
    return results.filter(Boolean).length;
  }

  describe.each(ERAS)("in revision %s", (revision) => {
    test("of a principal, on any connection", async () => {
      const all = servers();
      for (const subject of ["ada", "grace", "a}b{c"]) {
        const clients = await Promise.all(
          all.map((each) => connect(each, { revision, principal: { subject, issuer: "https://i" } })),
        );
        const count = await passed(
          async (index) => (await clients[index]!.callTool("add", { a: 1, b: 2 })).isError !== true,
        );
        expect(count, subject).toBe(ALLOWED);
      }
    });

    test("of a connection, which is another at each server", async () => {
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
      ["a network of IPv6", {}, ["2001:db8:0:1::1", "2001:db8:0:2::1"]],
      ["whoever comes from no address", {}, [undefined]],
      ["a key", { auth: KEYS }, ["the-key-that-ada-has", "the-key-that-grace-has"]],
    ])("over HTTP, of %s", async (_caller, config, callers) => {
      const handlers = servers(config).map((each) =>
        createHttpHandler(each, { address: (_request, from?: string) => from }),
      );
      const isKey = "auth" in config;
      for (const caller of callers) {
        const from = isKey ? "192.0.2.9" : caller;
        const sends = await Promise.all(
          handlers.map((handler) => sender(handler, revision, from, isKey ? caller : undefined)),
        );
        expect(await passed(async (index) => (await sends[index]!()) === 200), String(caller)).toBe(ALLOWED);
      }
    });
  });

  test("both eras are counted together, and limits of handlers beside those of the server", async () => {
    const all = servers();
    const clients = await Promise.all(
      all.map((each, index) => connect(each, { revision: ERAS[index % 2]!, principal: "ada" })),
    );
    expect(
      await passed(async (index) => (await clients[index]!.callTool("add", { a: 1, b: 2 })).isError !== true),
    ).toBe(ALLOWED);
  });
});

/** What posts a call, of a session where the era has them, and says with what status it is answered. */
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
