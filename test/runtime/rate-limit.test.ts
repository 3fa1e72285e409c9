/**
 * How often one caller may call, and what one is told who calls more often. The clock is the test's own.
 */
import { authorization, type Middleware, type RateLimit, type ServerConfig, ToolError } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { allParts } from "@tenon/runtime/parts";
import { type Application, createServer, type Server } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { connect, type RpcError, type TestClient } from "@tenon/runtime/testing";
import { describe, expect, test } from "vitest";
import { MemoryCallCounts } from "../../packages/runtime/src/middleware/call-counts.js";
import { durationText } from "../../packages/runtime/src/explain/duration-text.js";
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
const served = (config: ServerConfig): Server => serve(createFixture({ log: "off", ...config }));

/** The fixture with a limit on the tool `add`, a prompt, a resource and a template. */
function limited(rateLimit: RateLimit = FEW, config: ServerConfig = {}): Application {
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
const textOf = async (call: Promise<{ content: unknown }>): Promise<string> =>
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

const httpOf = (server: Server): HttpHandler<[string?]> =>
  createHttpHandler(server, { address: (_request, from?: string) => from });

const statuses = async (
  handle: HttpHandler<[string?]>,
  ...from: (string | undefined)[]
): Promise<number[]> => {
  const found: number[] = [];
  for (const each of from) found.push((await post(handle, each)).status);
  return found;
};

describe.each(["2025-11-25", LATEST])("what is said at %s", (revision) => {
  test("a model reads when to call a tool again, and may then", async () => {
    const client = await connect(serve(limited()), { revision });
    await add(client);
    time += 48_000;
    expect((await add(client)).isError).toBeUndefined();
    const refused = await add(client);
    expect(refused.isError).toBe(true);
    const message = 'Too many calls of tool "add": 2 in a minute are allowed. Try again in 12 seconds.';
    expect(await textOf(Promise.resolve(refused))).toBe(message);
    expect(await textOf(client.callTool("conditions", { city: "Oslo" }))).toContain("Oslo");
    time += 12_000;
    expect((await add(client)).isError).toBeUndefined();
    expect((await add(client)).isError).toBe(true);
  });

  test.each([
    ['prompt "plan"', (client: TestClient) => client.getPrompt("plan", { city: "Oslo", mood: "calm" })],
    ['resource "notes://today"', (client: TestClient) => client.readResource("notes://today")],
    ['resource "note://{id}"', (client: TestClient) => client.readResource("note://7")],
  ])("a client reads it of a %s, as an error", async (subject, act) => {
    const client = await connect(serve(limited()), { revision });
    await act(client);
    await act(client);
    const error = (await act(client).catch((reason: unknown) => reason)) as RpcError;
    expect(error).toMatchObject({
      code: 429,
      message: `Too many calls of ${subject}: 2 in a minute are allowed. Try again in a minute.`,
      data: { retryAfterMs: MINUTE },
    });
  });

  test("all handlers together have the server's limit, and suggestions count there alone", async () => {
    const client = await connect(serve(limited(FEW, { rateLimit: { calls: 5, windowMs: 1500 } })), {
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
      'calls of prompt "plan"',
    );
  });
});

describe("over HTTP", () => {
  test("a call too many is 429 with `Retry-After`, before anything else is done for it", async () => {
    const seen: string[] = [];
    const use: Middleware[] = [(call, next) => (seen.push(call.name), next()), authorization];
    const handle = httpOf(serve(limited(FEW, { use })));
    expect(await statuses(handle, "192.0.2.1", "192.0.2.1")).toEqual([200, 200]);
    time += 500;
    expect(await post(handle, "192.0.2.1")).toEqual({
      status: 429,
      retryAfter: "60",
      error: {
        code: 429,
        message: 'Too many calls of tool "add": 2 in a minute are allowed. Try again in a minute.',
        data: { retryAfterMs: 59_500 },
      },
    });
    expect(seen).toHaveLength(2);
    expect((await post(handle, "192.0.2.1", { method: "tools/list", params: {} })).status).toBe(200);
  });

  test("who is refused for want of a token is not counted, and keys are counted apart", async () => {
    const auth = apiKeys({
      "the-key-that-ada-has": { subject: "ada" },
      "the-key-that-grace-has": { subject: "grace" },
    });
    const handle = httpOf(served({ auth, rateLimit: FEW }));
    for (let count = 0; count < 5; count++) expect((await post(handle, "192.0.2.1")).status).toBe(401);
    const all = { token: "the-key-that-ada-has" };
    expect((await post(handle, "192.0.2.1", all)).status).toBe(200);
    expect((await post(handle, "192.0.2.2", all)).status).toBe(200);
    expect((await post(handle, "192.0.2.3", all)).status).toBe(429);
    expect((await post(handle, "192.0.2.3", { token: "the-key-that-grace-has" })).status).toBe(200);
  });

  test("a session, and what has no session, of one address count together", async () => {
    const server = served({ rateLimit: FEW });
    const handle = httpOf(server);
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

  test("where a stream carries answers, a refusal is one of them", async () => {
    const server = served({ rateLimit: { calls: 1, windowMs: 1000 }, http: { sse: true } });
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

describe("who is counted as one", () => {
  test.each([
    ["an address of IPv4", ["192.0.2.1", "192.0.2.2"], ["192.0.2.1", "::ffff:192.0.2.1"]],
    ["a network of /64", ["2001:db8::1", "2001:db8:0:1::1"], ["2001:db8::1", "2001:DB8::ffff:0:0:9"]],
    [
      "a network that is not shortened",
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1:3:3:4:5:6"],
      ["2001:db8:1:2::", "2001:db8:1:2:9::"],
    ],
    ["this machine", ["::1", "127.0.0.1"], ["::1", "::1"]],
    ["everybody without an address", [], [undefined, undefined]],
  ])("%s", async (_name, others, same) => {
    const handle = httpOf(served({ rateLimit: FEW }));
    expect(await statuses(handle, ...others, ...others)).toEqual([...others, ...others].map(() => 200));
    const fresh = httpOf(served({ rateLimit: FEW }));
    expect(await statuses(fresh, ...same, ...same)).toEqual([200, 200, 429, 429]);
  });

  test("a principal by issuer and subject, on whatever connection and by whatever client", async () => {
    const server = served({ rateLimit: FEW });
    const as = (issuer: string, subject: string, client: string) =>
      connect(server, { principal: { issuer, subject, client } });
    const isRefused = async (client: Promise<TestClient>) => (await add(await client)).isError === true;
    expect(await isRefused(as("a", "ada", "one"))).toBe(false);
    expect(await isRefused(as("a", "ada", "two"))).toBe(false);
    expect(await isRefused(as("a", "ada", "three"))).toBe(true);
    expect(await isRefused(as("b", "ada", "one"))).toBe(false);
    expect(await isRefused(as("a", "grace", "one"))).toBe(false);
  });

  test("a connection, where there is neither", async () => {
    const server = served({ rateLimit: { calls: 1, windowMs: MINUTE } });
    const [one, other] = await Promise.all([connect(server), connect(server)]);
    expect([await add(one), await add(other), await add(one)].map(({ isError }) => isError)).toEqual([
      undefined,
      undefined,
      true,
    ]);
  });
});

describe("what counts", () => {
  test("calls with wrong arguments and calls that fail do, calls that are refused do not", async () => {
    const client = await connect(serve(limited({ calls: 3, windowMs: 1000 })));
    expect(await textOf(client.callTool("add", { a: "x" }))).toContain("Invalid arguments");
    for (let count = 0; count < 2; count++) {
      time += 400;
      await add(client);
    }
    expect(await textOf(add(client))).toContain("Too many calls");
    time += 200;
    expect(await textOf(add(client))).toBe("3");
    time += 400;
    expect(await textOf(add(client))).toBe("3");
  });

  test("a call that one limit refuses does not count for the other", async () => {
    const client = await connect(
      serve(limited({ calls: 1, windowMs: MINUTE }, { rateLimit: { calls: 3, windowMs: MINUTE } })),
    );
    await add(client);
    for (let count = 0; count < 5; count++)
      expect(await textOf(add(client))).toContain('calls of tool "add"');
    expect(await textOf(client.callTool("conditions", { city: "Oslo" }))).toContain("Oslo");
    expect(await textOf(client.callTool("conditions", { city: "Oslo" }))).toContain("Oslo");
    expect(await textOf(client.callTool("conditions", { city: "Oslo" }))).toContain("Too many calls: 3");
  });

  test("each round of a call that asks its client", async () => {
    const answers = { elicit: () => ({ action: "accept" as const, content: { name: "Ada" } }) };
    const application = { ...createAskingFixture(), config: { rateLimit: { calls: 1, windowMs: MINUTE } } };
    const legacy = await connect(serve(application), { revision: "2025-11-25", answers });
    expect(await textOf(legacy.callTool("greet"))).toBe("Hello, Ada!");
    const modern = await connect(serve(application), { answers });
    expect(await textOf(modern.callTool("greet"))).toContain("Too many calls: 1 in a minute is allowed");
  });

  test("as the server decides for each caller, and what it decides is a limit", async () => {
    const rateLimit: ServerConfig["rateLimit"] = ({ principal }) => {
      if (principal?.subject === "ada") return undefined;
      if (principal?.subject === "eve") throw new ToolError("Who are you?");
      return principal === undefined ? { calls: 1, windowMs: MINUTE } : { calls: 0, windowMs: MINUTE };
    };
    const server = served({ rateLimit });
    const [nobody, ada, eve, grace] = await Promise.all([
      connect(server),
      connect(server, { principal: "ada" }),
      connect(server, { principal: "eve" }),
      connect(server, { principal: "grace" }),
    ]);
    for (let count = 0; count < 5; count++) expect(await textOf(add(ada))).toBe("3");
    expect([await textOf(add(nobody)), await textOf(add(nobody))]).toEqual([
      "3",
      expect.stringContaining("Too many"),
    ]);
    expect(await textOf(add(eve))).toBe("Who are you?");
    expect(await textOf(add(grace))).toContain(
      "rateLimit.calls of defineServer() must be a positive whole number (got 0)",
    );
  });
});

describe("counts", () => {
  const rest = { kind: "rest", id: "all" } as const;
  const address = (id: number | string) => ({ kind: "address", id: String(id) }) as const;
  const limit = (calls: number, windowMs = 1000, name = "") => ({ name, calls, windowMs });
  let at = 0;
  const counts = (capacity = 100): MemoryCallCounts => ((at = 0), new MemoryCallCounts(capacity, () => at));

  test.each([1, 2, 5, 16, 17, 100, 500])(
    "never hold more than %i in a window, wherever it begins",
    (calls) => {
      const kept = counts();
      const times: number[] = [];
      let seed = 1;
      for (let attempt = 0; attempt < calls * 20; attempt++) {
        seed = (seed * 48_271) % 2_147_483_647;
        at += seed % Math.ceil(1500 / calls);
        const excess = kept.take([address(1), rest], [limit(calls)]);
        if (excess === undefined) times.push(at);
        else expect(excess.retryAfterMs).toBeGreaterThan(0);
      }
      expect(times.length).toBeGreaterThan(calls * 5);
      const fullest = Math.max(
        ...times.map((first, index) => times.slice(index).filter((each) => each < first + 1000).length),
      );
      expect(fullest).toBe(calls);
    },
  );

  test.each([1, 5, 100])("a limit of %i lets the next one pass when it says, and not before", (calls) => {
    const kept = counts();
    const take = () => kept.take([address(1), rest], [limit(calls)]);
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

  test("a lower limit holds for what was counted under a higher one", () => {
    const kept = counts();
    for (let count = 0; count < 10; count++) kept.take([address(1), rest], [limit(10)]);
    expect(kept.take([address(1), rest], [limit(3)])).toMatchObject({ retryAfterMs: 1000 });
  });

  test("a flood of addresses neither frees one of them nor takes more room", () => {
    const kept = counts(50);
    const from = (id: number) =>
      kept.take([address(id), { kind: "network", id: String(id % 60) }, rest], [limit(2)]);
    expect([from(1), from(1)]).toEqual([undefined, undefined]);
    let passed = 0;
    for (let id = 2; id < 5000; id++) if (from(id) === undefined) passed += 1;
    expect(kept.size).toBe(50 + 50 + 1);
    // Two from each network, and two from all further networks; of the addresses that are known, one each.
    expect(passed).toBe(49 + 2 * 50 + 2);
    expect(from(1)).toMatchObject({ retryAfterMs: 1000 });
    expect(from(2)).toBeUndefined();
    at += 1000;
    expect(from(9999)).toBeUndefined();
    expect(kept.size).toBe(1);
  });

  test("a flood of addresses does not touch principals", () => {
    const kept = counts(10);
    for (let id = 0; id < 100; id++) kept.take([address(id), rest], [limit(1)]);
    const ada = [
      { kind: "principal", id: "ada" },
      { kind: "rest", id: "principals" },
    ] as const;
    expect(kept.take(ada, [limit(1)])).toBeUndefined();
    expect(kept.take(ada, [limit(1)])).toBeDefined();
  });

  test("those that are over go by themselves, in whatever window", () => {
    const kept = counts();
    for (let id = 0; id < 50; id++) {
      kept.take([address(id), rest], [limit(5), limit(5, 10, "short")]);
      at += 10;
    }
    expect(kept.size).toBeLessThan(55);
    at += 1000;
    for (let id = 100; id < 130; id++) kept.take([address(id), rest], [limit(5)]);
    expect(kept.size).toBeLessThan(35);
  });
});

test("a store that has to ask others is waited for", async () => {
  const { createRateLimits } = await import("../../packages/runtime/src/middleware/rate-limit.js");
  const { createSettings } = await import("../../packages/runtime/src/assembly/settings.js");
  const { createEntries } = await import("../../packages/runtime/src/assembly/create-entries.js");
  const application = createFixture();
  const entries = createEntries(application, createSettings(application.manifest), allParts);
  const answers = [undefined, { limit: { name: "", ...FEW }, retryAfterMs: 5 }];
  const step = createRateLimits(FEW, entries, { take: async () => answers.shift() })(
    entries.tools.get("add")!.handler,
  )!;
  const call = {
    call: { peer: {}, session: { id: "1" }, method: "tools/call" },
    method: "tools/call",
  } as never;
  const result = { content: [] };
  expect(await step(call, () => result)).toBe(result);
  await expect(step(call, () => result)).rejects.toThrow("Too many calls");
});

test.each([
  [{ calls: 0, windowMs: 1000 }, "rateLimit.calls of defineServer() must be a positive whole number (got 0)"],
  [
    { calls: 1.5, windowMs: 1000 },
    "rateLimit.calls of defineServer() must be a positive whole number (got 1.5)",
  ],
  [
    { calls: 5 },
    "rateLimit.windowMs of defineServer() must be a positive number of milliseconds (got undefined)",
  ],
  [{ calls: 5, windowMs: Infinity }, "rateLimit.windowMs of defineServer() must be a positive number"],
  [100, "rateLimit.calls of defineServer() must be a positive whole number (got undefined)"],
  [null, "rateLimit.calls of defineServer() must be"],
])("what is no limit is refused at the start: %j", (rateLimit, message) => {
  expect(() => served({ rateLimit: rateLimit as never })).toThrow(message);
});

test("and so is that of a handler", () => {
  expect(() => serve(limited({ calls: -1, windowMs: 1 }))).toThrow('rateLimit.calls of tool "add" must be');
  expect(() => served({ limits: { countedCallers: 0 } })).toThrow(
    "limits.countedCallers must be a positive number",
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
])("%i ms are %s", (ms, text) => expect(durationText(ms)).toBe(text));
