/**
 * Rate limits per caller, and the response to callers that exceed them. The clock is the test's own.
 */
import { authorization, type Middleware, type RateLimit, type ServerConfig, ToolError } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { type Application, createServer, type Server } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { connect, type RpcError, type TestClient } from "@tenon/runtime/testing";
import { describe, expect, test } from "vitest";
// Internal: counts are exact to the millisecond, but responses round to seconds.
import { MemoryCallCounts } from "../../packages/runtime/src/call/limits/call-counts.js";
import { headersFor } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { createFixture } from "./fixture/application.js";

const LATEST = "2026-07-28";
const MINUTE = 60_000;
const FEW: RateLimit = { calls: 2, windowMs: MINUTE };

let time = 0;
const now = (): number => time;
const serve = (application: Application): Server =>
  createServer(application, { now, onInternalError: () => {} });
const serveQuietly = (config: ServerConfig): Server => serve(createFixture({ log: "off", ...config }));

/** Creates the fixture with a limit on the tool `add`, a prompt, a resource, and a template. */
function createLimited(rateLimit: RateLimit = FEW, config: ServerConfig = {}): Application {
  const { manifest, ...rest } = createFixture({ log: "off", ...config });
  const names = new Set(["add", "plan", "notes://today", "note://{id}"]);
  const limit = <Entry extends { definition: { name: string; uri?: string; uriTemplate?: string } }>(
    entry: Entry,
  ): Entry => {
    const { name, uri, uriTemplate } = entry.definition;
    return names.has(uriTemplate ?? uri ?? name) ? { ...entry, rateLimit } : entry;
  };
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const entries = {
    tools: tools.map(limit),
    prompts: prompts.map(limit),
    resources: resources.map(limit),
    resourceTemplates: resourceTemplates.map(limit),
  };
  return { ...rest, manifest: { ...manifest, ...entries } };
}

const add = (client: TestClient) => client.callTool("add", { a: 1, b: 2 });
const getText = async (call: Promise<{ content: unknown }>): Promise<string> =>
  ((await call).content as { text: string }[])[0]!.text;

/** Posts one call; `from` is the address that it comes from. */
async function post(
  handle: HttpHandler<[string?]>,
  from?: string,
  { method = "tools/call", params = { name: "add", arguments: { a: 1, b: 2 } } as object, token = "" } = {},
): Promise<{ status: number; retryAfter: string | null; error: unknown }> {
  const meta = "io.modelcontextprotocol";
  const _meta = { [`${meta}/protocolVersion`]: LATEST, [`${meta}/clientCapabilities`]: {} };
  const message = { jsonrpc: "2.0" as const, id: 1, method, params: { ...params, _meta } };
  const headers = { ...headersFor(message), ...(token !== "" && { authorization: `Bearer ${token}` }) };
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify(message),
  });
  const response = await handle(request, from);
  const text = await response.text();
  const { error } = (text === "" ? {} : JSON.parse(text)) as { error?: unknown };
  return { status: response.status, retryAfter: response.headers.get("retry-after"), error };
}

const createHandler = (server: Server): HttpHandler<[string?]> =>
  createHttpHandler(server, { address: (_request, from?: string) => from });

const statuses = async (
  handle: HttpHandler<[string?]>,
  ...from: (string | undefined)[]
): Promise<number[]> => {
  const found: number[] = [];
  for (const each of from) found.push((await post(handle, each)).status);
  return found;
};

describe.each(["2025-11-25", LATEST])("a rate limit at %s", (revision) => {
  test("announces when to call a tool again, after which the call succeeds", async () => {
    const client = await connect(serve(createLimited()), { revision });
    await add(client);
    time += 48_000;
    expect((await add(client)).isError).toBeUndefined();
    const rejected = await add(client);
    expect(rejected.isError).toBe(true);
    const message = 'Too many calls to tool "add": 2 in a minute are allowed. Try again in 12 seconds.';
    expect(await getText(Promise.resolve(rejected))).toBe(message);
    expect(await getText(client.callTool("conditions", { city: "Oslo" }))).toContain("Oslo");
    time += 12_000;
    expect((await add(client)).isError).toBeUndefined();
    expect((await add(client)).isError).toBe(true);
  });

  test.each([
    ['prompt "plan"', (client: TestClient) => client.getPrompt("plan", { city: "Oslo", mood: "calm" })],
    ['resource "notes://today"', (client: TestClient) => client.readResource("notes://today")],
    ['resource "note://{id}"', (client: TestClient) => client.readResource("note://7")],
  ])("is an error for the client of a %s", async (subject, act) => {
    const client = await connect(serve(createLimited()), { revision });
    await act(client);
    await act(client);
    const error = (await act(client).catch((reason: unknown) => reason)) as RpcError;
    expect(error).toMatchObject({
      code: 429,
      message: `Too many calls to ${subject}: 2 in a minute are allowed. Try again in a minute.`,
      data: { retryAfterMs: MINUTE },
    });
  });

  test("for the server counts all handlers, and is the only one that counts suggestions", async () => {
    const client = await connect(serve(createLimited(FEW, { rateLimit: { calls: 5, windowMs: 1500 } })), {
      revision,
    });
    const suggest = () => client.complete({ type: "ref/prompt", name: "plan" }, { name: "mood", value: "" });
    for (let count = 0; count < 3; count++) await suggest();
    await client.getPrompt("plan", { city: "Oslo", mood: "calm" });
    await add(client);
    await expect(suggest()).rejects.toThrow(
      "Too many calls: 5 in 1500 ms are allowed. Try again in 2 seconds.",
    );
    await client.listTools();
    time += 1500;
    await client.getPrompt("plan", { city: "Oslo", mood: "calm" });
    await expect(client.getPrompt("plan", { city: "Oslo", mood: "calm" })).rejects.toThrow(
      'calls to prompt "plan"',
    );
  });
});

describe("a rate limit over HTTP", () => {
  test("responds with 429 and `Retry-After` before doing anything else", async () => {
    const seen: string[] = [];
    const use: Middleware[] = [(call, next) => (seen.push(call.name), next()), authorization];
    const handle = createHandler(serve(createLimited(FEW, { use })));
    expect(await statuses(handle, "192.0.2.1", "192.0.2.1")).toEqual([200, 200]);
    time += 500;
    expect(await post(handle, "192.0.2.1")).toEqual({
      status: 429,
      retryAfter: "60",
      error: {
        code: 429,
        message: 'Too many calls to tool "add": 2 in a minute are allowed. Try again in a minute.',
        data: { retryAfterMs: 59_500 },
      },
    });
    expect(seen).toHaveLength(2);
    expect((await post(handle, "192.0.2.1", { method: "tools/list", params: {} })).status).toBe(200);
  });

  test("does not count unauthorized requests, and counts keys separately", async () => {
    const auth = apiKeys({
      "the-key-that-ada-has": { subject: "ada" },
      "the-key-that-grace-has": { subject: "grace" },
    });
    const handle = createHandler(serveQuietly({ auth, rateLimit: FEW }));
    for (let count = 0; count < 5; count++) expect((await post(handle, "192.0.2.1")).status).toBe(401);
    const all = { token: "the-key-that-ada-has" };
    expect((await post(handle, "192.0.2.1", all)).status).toBe(200);
    expect((await post(handle, "192.0.2.2", all)).status).toBe(200);
    expect((await post(handle, "192.0.2.3", all)).status).toBe(429);
    expect((await post(handle, "192.0.2.3", { token: "the-key-that-grace-has" })).status).toBe(200);
  });

  test("counts sessions and sessionless requests of one address together", async () => {
    const server = serveQuietly({ rateLimit: FEW });
    const handle = createHandler(server);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const send = (message: object, more: Record<string, string> = {}) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        headers: { ...headers, ...more },
        body,
      });
      return handle(request, "192.0.2.1");
    };
    const params = {
      protocolVersion: "2025-03-26",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const opened = await send({ id: 0, method: "initialize", params });
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
    await send({ method: "notifications/initialized" }, session);
    const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } };
    expect((await post(handle, "192.0.2.1")).status).toBe(200);
    const batch = new Request("http://localhost/mcp", {
      method: "POST",
      headers: { ...headers, ...session },
      body: JSON.stringify([
        { ...call, id: 1 },
        { ...call, id: 2 },
      ]),
    });
    const answers = (await (await handle(batch, "192.0.2.1")).json()) as { error?: { code: number } }[];
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, 429]);
    expect((await send({ ...call, id: 3 }, session)).status).toBe(429);
    await server.close();
  });

  test("rejects a call in the stream that carries the responses, as over HTTP+SSE", async () => {
    const server = serveQuietly({ rateLimit: { calls: 1, windowMs: 1000 }, http: { sse: true } });
    const handle = createSseHandler(server, { address: () => "192.0.2.1" });
    const opened = await handle(new Request("http://localhost/sse"));
    const reader = opened.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const read = async (end: string): Promise<string> => {
      while (!text.includes(end)) text += (await reader.read()).value ?? "";
      return text;
    };
    const [path] = /\/messages\S+/.exec(await read("\n\n"))!;
    const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } };
    for (const id of [1, 2]) {
      const body = JSON.stringify({ ...call, id });
      const headers = { "content-type": "application/json" };
      const { status } = await handle(
        new Request(`http://localhost${path}`, { method: "POST", headers, body }),
      );
      expect(status).toBe(202);
    }
    expect(await read('"id":2')).toContain(
      "Too many calls: 1 in a second is allowed. Try again in 1 second.",
    );
    await handle.close();
  });
});

describe("a counted caller", () => {
  test.each([
    ["an address of IPv4", ["192.0.2.1", "192.0.2.2"], ["192.0.2.1", "::ffff:192.0.2.1"]],
    ["a network of /64", ["2001:db8::1", "2001:db8:0:1::1"], ["2001:db8::1", "2001:DB8::ffff:0:0:9"]],
    [
      "a network that is not shortened",
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1:3:3:4:5:6"],
      ["2001:db8:1:2::", "2001:db8:1:2:9::"],
    ],
    ["this machine", ["::1", "127.0.0.1"], ["::1", "::1"]],
    ["all callers without an address together", [], [undefined, undefined]],
  ])("can be %s", async (_name, others, same) => {
    const handle = createHandler(serveQuietly({ rateLimit: FEW }));
    expect(await statuses(handle, ...others, ...others)).toEqual([...others, ...others].map(() => 200));
    const fresh = createHandler(serveQuietly({ rateLimit: FEW }));
    expect(await statuses(fresh, ...same, ...same)).toEqual([200, 200, 429, 429]);
  });

  test("is a principal by issuer and subject, on any connection and with any client", async () => {
    const server = serveQuietly({ rateLimit: FEW });
    const as = (issuer: string, subject: string, client: string) =>
      connect(server, { principal: { issuer, subject, client } });
    const isRejected = async (client: Promise<TestClient>) => (await add(await client)).isError === true;
    expect(await isRejected(as("a", "ada", "one"))).toBe(false);
    expect(await isRejected(as("a", "ada", "two"))).toBe(false);
    expect(await isRejected(as("a", "ada", "three"))).toBe(true);
    expect(await isRejected(as("b", "ada", "one"))).toBe(false);
    expect(await isRejected(as("a", "grace", "one"))).toBe(false);
  });

  test("is a connection if there is no principal or address", async () => {
    const server = serveQuietly({ rateLimit: { calls: 1, windowMs: MINUTE } });
    const [one, other] = await Promise.all([connect(server), connect(server)]);
    expect([await add(one), await add(other), await add(one)].map(({ isError }) => isError)).toEqual([
      undefined,
      undefined,
      true,
    ]);
  });
});

describe("a rate limit's count", () => {
  test("includes calls with invalid arguments and failures, but not rejected calls", async () => {
    const client = await connect(serve(createLimited({ calls: 3, windowMs: 1000 })));
    expect(await getText(client.callTool("add", { a: "x" }))).toContain("Invalid arguments");
    for (let count = 0; count < 2; count++) {
      time += 400;
      await add(client);
    }
    expect(await getText(add(client))).toContain("Too many calls");
    time += 200;
    expect(await getText(add(client))).toBe("3");
    time += 400;
    expect(await getText(add(client))).toBe("3");
  });

  test("excludes calls that another limit rejects", async () => {
    const client = await connect(
      serve(createLimited({ calls: 1, windowMs: MINUTE }, { rateLimit: { calls: 3, windowMs: MINUTE } })),
    );
    await add(client);
    for (let count = 0; count < 5; count++)
      expect(await getText(add(client))).toContain('calls to tool "add"');
    expect(await getText(client.callTool("conditions", { city: "Oslo" }))).toContain("Oslo");
    expect(await getText(client.callTool("conditions", { city: "Oslo" }))).toContain("Oslo");
    expect(await getText(client.callTool("conditions", { city: "Oslo" }))).toContain("Too many calls: 3");
  });

  test("includes each round of a call that asks its client", async () => {
    const answers = { elicit: () => ({ action: "accept" as const, content: { name: "Ada" } }) };
    const application = { ...createAskingFixture(), config: { rateLimit: { calls: 1, windowMs: MINUTE } } };
    const legacy = await connect(serve(application), { revision: "2025-11-25", answers });
    expect(await getText(legacy.callTool("greet"))).toBe("Hello, Ada!");
    const modern = await connect(serve(application), { answers });
    expect(await getText(modern.callTool("greet"))).toContain("Too many calls: 1 in a minute is allowed");
  });

  test("follows the resolver for each caller, whose result is validated", async () => {
    const rateLimit: ServerConfig["rateLimit"] = ({ principal }) => {
      if (principal?.subject === "ada") return undefined;
      if (principal?.subject === "eve") throw new ToolError("Who are you?");
      return principal === undefined ? { calls: 1, windowMs: MINUTE } : { calls: 0, windowMs: MINUTE };
    };
    const server = serveQuietly({ rateLimit });
    const [nobody, ada, eve, grace] = await Promise.all([
      connect(server),
      connect(server, { principal: "ada" }),
      connect(server, { principal: "eve" }),
      connect(server, { principal: "grace" }),
    ]);
    for (let count = 0; count < 5; count++) expect(await getText(add(ada))).toBe("3");
    expect([await getText(add(nobody)), await getText(add(nobody))]).toEqual([
      "3",
      expect.stringContaining("Too many"),
    ]);
    expect(await getText(add(eve))).toBe("Who are you?");
    expect(await getText(add(grace))).toContain("rateLimit.calls must be a positive whole number (got 0)");
  });
});

describe("a sliding window", () => {
  const rest = { kind: "rest", id: "all" } as const;
  const address = (id: number | string) => ({ kind: "address", id: String(id) }) as const;
  const limit = (calls: number, windowMs = 1000, name = "") => ({ name, calls, windowMs });
  let at = 0;
  const counts = (capacity = 100): MemoryCallCounts => ((at = 0), new MemoryCallCounts(capacity, () => at));

  test.each([1, 2, 5, 16, 17, 100, 500])("never holds more than %i, wherever it begins", (calls) => {
    const windows = counts();
    const times: number[] = [];
    let seed = 1;
    for (let attempt = 0; attempt < calls * 20; attempt++) {
      seed = (seed * 48_271) % 2_147_483_647;
      at += seed % Math.ceil(1500 / calls);
      const excess = windows.consume([address(1), rest], [limit(calls)]);
      if (excess === undefined) times.push(at);
      else expect(excess.retryAfterMs).toBeGreaterThan(0);
    }
    expect(times.length).toBeGreaterThan(calls * 5);
    const fullest = Math.max(
      ...times.map((first, index) => times.slice(index).filter((each) => each < first + 1000).length),
    );
    expect(fullest).toBe(calls);
  });

  test.each([1, 5, 100])("with a limit of %i admits the next call exactly when it announced", (calls) => {
    const windows = counts();
    const take = () => windows.consume([address(1), rest], [limit(calls)]);
    for (let count = 0; count < calls; count++) {
      expect(take()).toBeUndefined();
      at += 3;
    }
    for (let count = 0; count < 20; count++) {
      const { retryAfterMs = 0 } = take() ?? {};
      at += retryAfterMs - 1;
      expect(take()?.retryAfterMs).toBe(1);
      at += 1;
      while (take() === undefined);
    }
  });

  test("applies a lower limit to calls counted under a higher one", () => {
    const windows = counts();
    for (let count = 0; count < 10; count++) windows.consume([address(1), rest], [limit(10)]);
    expect(windows.consume([address(1), rest], [limit(3)])).toMatchObject({ retryAfterMs: 1000 });
  });

  test("is neither reset nor enlarged by a flood of addresses", () => {
    const windows = counts(50);
    const from = (id: number) =>
      windows.consume([address(id), { kind: "network", id: String(id % 60) }, rest], [limit(2)]);
    expect([from(1), from(1)]).toEqual([undefined, undefined]);
    let passed = 0;
    for (let id = 2; id < 5000; id++) if (from(id) === undefined) passed += 1;
    expect(windows.size).toBe(50 + 50 + 1);
    // Two calls from each network, two from all further networks together, and one from each known address.
    expect(passed).toBe(49 + 2 * 50 + 2);
    expect(from(1)).toMatchObject({ retryAfterMs: 1000 });
    expect(from(2)).toBeUndefined();
    at += 1000;
    expect(from(9999)).toBeUndefined();
    expect(windows.size).toBe(1);
  });

  test("for principals is unaffected by a flood of addresses", () => {
    const windows = counts(10);
    for (let id = 0; id < 100; id++) windows.consume([address(id), rest], [limit(1)]);
    const ada = [
      { kind: "principal", id: "ada" },
      { kind: "rest", id: "principals" },
    ] as const;
    expect(windows.consume(ada, [limit(1)])).toBeUndefined();
    expect(windows.consume(ada, [limit(1)])).toBeDefined();
  });

  test("is removed after it has ended, whatever its length", () => {
    const windows = counts();
    for (let id = 0; id < 50; id++) {
      windows.consume([address(id), rest], [limit(5), limit(5, 10, "short")]);
      at += 10;
    }
    expect(windows.size).toBeLessThan(55);
    at += 1000;
    for (let id = 100; id < 130; id++) windows.consume([address(id), rest], [limit(5)]);
    expect(windows.size).toBeLessThan(35);
  });
});

test.each([
  [{ calls: 0, windowMs: 1000 }, "rateLimit.calls must be a positive whole number (got 0)"],
  [{ calls: 1.5, windowMs: 1000 }, "rateLimit.calls must be a positive whole number (got 1.5)"],
  [{ calls: 5 }, "rateLimit.windowMs must be a positive number of milliseconds (got undefined)"],
  [{ calls: 5, windowMs: Infinity }, "rateLimit.windowMs must be a positive number"],
  [100, "rateLimit must be an object with calls and windowMs, or a function that returns one (got 100)"],
  [null, "rateLimit must be an object with calls and windowMs"],
])("an invalid limit is rejected at startup: %j", (rateLimit, message) => {
  expect(() => serveQuietly({ rateLimit: rateLimit as never })).toThrow(message);
});

test("an invalid limit of a handler is rejected at startup", () => {
  expect(() => serve(createLimited({ calls: -1, windowMs: 1 }))).toThrow(
    'rateLimit.calls of tool "add" must be',
  );
  expect(() => serveQuietly({ limits: { maxTrackedCallers: 0 } })).toThrow(
    "limits.maxTrackedCallers must be a positive number",
  );
});

test.each([
  [1000, "a second"],
  [60_000, "a minute"],
  [90_000, "90 seconds"],
  [3_600_000, "an hour"],
  [7_200_000, "2 hours"],
  [86_400_000, "a day"],
  [250, "250 ms"],
  [1500, "1500 ms"],
])("a limit per %i ms is reported as one in %s", async (windowMs, text) => {
  const client = await connect(serveQuietly({ rateLimit: { calls: 1, windowMs } }));
  await add(client);
  expect(await getText(add(client))).toContain(`Too many calls: 1 in ${text} is allowed.`);
});
