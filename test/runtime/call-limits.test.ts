import { type Limits, type Middleware, type ServerConfig, ToolError } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Application, createServer, type Server } from "@tenon/runtime/server";
import { connect as connectInMemory, type TestClient } from "@tenon/runtime/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { eventually } from "../support/eventually.js";
import { headersFor, memoryWire } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { createFixture } from "./fixture/application.js";
import { heldCalls, Prompts, release, Resources, Tools } from "./fixture/src/handlers.js";
import { createTasksFixture } from "./tasks/application.js";
import { createNotebook, Notebook } from "./fixture/notebook.js";

async function connect(limits: Partial<Limits>, revision = LATEST): Promise<WireClient> {
  const client = new WireClient(memoryWire(quietServer(createNotebook({ limits }))), { revision });
  await client.open();
  return client;
}

describe("a call that takes too long", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test.each([LATEST, LATEST_LEGACY])("is stopped and receives an error at %s", async (revision) => {
    const client = await connect({ callTimeoutMs: 30 }, revision);
    Notebook.lastAbort = "";
    const stopped = client.call("slow", { ms: 60_000 });
    await vi.advanceTimersByTimeAsync(30);
    expect(await stopped).toMatchObject({
      isError: true,
      content: [{ type: "text", text: 'The tool "slow" took longer than 30 ms and was stopped.' }],
    });
    expect(Notebook.lastAbort).toBe("TimeoutError");
    const inTime = client.call("slow", { ms: 29 });
    await vi.advanceTimersByTimeAsync(29);
    expect(await inTime).toMatchObject({ content: [{ text: "Done." }] });
  });

  test("is stopped once even if its handler ignores the signal", async () => {
    const wire = memoryWire(quietServer(createFixture({ limits: { callTimeoutMs: 20 } })));
    const responses: string[] = [];
    const onMessage: typeof wire.onMessage = (listener) =>
      wire.onMessage((text) => {
        responses.push(text);
        listener(text);
      });
    const client = new WireClient({ ...wire, onMessage }, { revision: LATEST });
    const calls = [client.call("never"), client.call("pause", { ms: 40 })];
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.all(calls)).toMatchObject([{ isError: true }, { isError: true }]);
    await vi.advanceTimersByTimeAsync(40);
    expect(await client.call("nothing")).toMatchObject({ content: [{ text: "Done." }] });
    expect(responses).toHaveLength(3);
  });

  test("does not end subscriptions", async () => {
    const client = await connect({ callTimeoutMs: 20 });
    const listening = client.request("subscriptions/listen", { notifications: { toolsListChanged: true } });
    await vi.advanceTimersByTimeAsync(60);
    expect(await Promise.race([listening, Promise.resolve("open")])).toBe("open");
  });
});

describe("the time limit of a handler", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  const forever = () => new Promise<never>(() => undefined);
  const SECONDS = 1000;
  const HANDLERS = [new Tools(), new Prompts(), new Resources()].map((each) =>
    Object.assign(each, { never: forever, conversation: forever, today: forever, note: forever }),
  );

  /** Creates the fixture with a time limit on every handler, and handlers that never end. */
  function createTimed(timeoutMs: number, config: ServerConfig = {}): Application {
    const { manifest, ...rest } = createFixture({ log: "off", provide: HANDLERS, ...config });
    const all = <Entry>(entries: Entry[]): Entry[] => entries.map((entry) => ({ ...entry, timeoutMs }));
    const { tools, prompts, resources, resourceTemplates } = manifest;
    const limited = {
      tools: all(tools),
      prompts: all(prompts),
      resources: all(resources),
      resourceTemplates: all(resourceTemplates),
    };
    return { ...rest, manifest: { ...manifest, ...limited } };
  }
  const createClient = (application: Application, onInternalError: (report: unknown) => void = () => {}) =>
    connectInMemory(createServer(application, { onInternalError }), { showErrors: false });
  const outcome = async (call: Promise<unknown>, ms: number): Promise<unknown> => {
    const settled = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(ms);
    return Promise.race([settled, Promise.resolve("running")]);
  };
  const STOPPED = {
    isError: true,
    content: [{ type: "text", text: 'The tool "never" took longer than 2 seconds and was stopped.' }],
  };

  test.each([
    ["is shorter than the server's limit", 2 * SECONDS, 60 * SECONDS],
    ["is longer than the server's limit", 2 * SECONDS, SECONDS],
    ["applies if the server has no limit", 2 * SECONDS, 0],
  ])("%s", async (_name, own, callTimeoutMs) => {
    const client = await createClient(createTimed(own, { limits: { callTimeoutMs } }));
    const call = client.callTool("never");
    expect(await outcome(call, own - 1)).toBe("running");
    expect(await outcome(call, 1)).toMatchObject(STOPPED);
  });

  test("is disabled with 0", async () => {
    const client = await createClient(createTimed(0, { limits: { callTimeoutMs: SECONDS } }));
    expect(await outcome(client.callTool("never"), 3600 * SECONDS)).toBe("running");
    client.close();
  });

  test.each([
    ['prompt "conversation"', (client: TestClient) => client.getPrompt("conversation")],
    ['resource "notes://today"', (client: TestClient) => client.readResource("notes://today")],
    ['resource "note://{id}"', (client: TestClient) => client.readResource("note://7")],
  ])("applies to a %s, too", async (subject, act) => {
    const client = await createClient(createTimed(2 * SECONDS));
    const error = await outcome(act(client), 2 * SECONDS);
    const message = `The ${subject} took longer than 2 seconds and was stopped.`;
    expect(error).toMatchObject({ code: -32603, message });
  });

  test("reaches middleware as a `TimeoutError` from `next`, with the signal aborted", async () => {
    const seen: unknown[] = [];
    const use: Middleware = async (call, next) => {
      try {
        return await next();
      } catch (error) {
        seen.push((error as Error).name, call.signal.aborted, (call.signal.reason as Error).name);
        throw error;
      }
    };
    const client = await createClient(createTimed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS)).toMatchObject(STOPPED);
    await Promise.resolve();
    expect(seen).toEqual(["TimeoutError", true, "TimeoutError"]);
  });

  test("reaches the client when middleware waits for something else with the signal", async () => {
    const use: Middleware = async ({ signal }, next) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("Aborted.", "AbortError")));
      });
      return next();
    };
    const client = await createClient(createTimed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS)).toMatchObject(STOPPED);
  });

  test("lets middleware respond instead, immediately", async () => {
    const cached = { content: [{ type: "text" as const, text: "As of yesterday." }] };
    const use: Middleware = (_call, next) => next().catch(() => cached);
    const client = await createClient(createTimed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS)).toMatchObject(cached);
  });

  test.each<[string, Middleware]>([
    ["before the handler", forever],
    ["after the handler", (_call, next) => next().catch(forever)],
    [
      "before a second attempt",
      async (_call, next) => {
        for (;;) await next().catch(() => new Promise((resolve) => setTimeout(resolve)));
      },
    ],
  ])("is not delayed by middleware that waits %s", async (_name, use) => {
    const client = await createClient(createTimed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS + 1)).toMatchObject(STOPPED);
    client.close();
  });

  test.each<[string, (signal: AbortSignal) => unknown, number]>([
    ["rethrows the reason", (signal) => signal.reason, 0],
    ["throws its own error", () => new ToolError("Too slow."), 0],
    ["throws a different error", () => new Error("hunter2"), 1],
  ])("reaches the client when the handler %s", async (_name, end, reported) => {
    const wait = (signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(end(signal)));
      });
    const reports: unknown[] = [];
    const provide = [Object.assign(new Tools(), { wait })];
    const client = await createClient(
      createTimed(2 * SECONDS, { provide }),
      (report) => void reports.push(report),
    );
    const message = 'The tool "wait" took longer than 2 seconds and was stopped.';
    expect(await outcome(client.callTool("wait"), 2 * SECONDS)).toMatchObject({
      content: [{ text: message }],
    });
    expect(reports).toHaveLength(reported);
  });

  test("includes the time that the user takes to answer", async () => {
    const application = createAskingFixture({ limits: { callTimeoutMs: 2 * SECONDS } });
    const answers = { elicit: forever };
    const client = await connectInMemory(quietServer(application), { revision: LATEST_LEGACY, answers });
    const message = 'The tool "greet" took longer than 2 seconds and was stopped.';
    expect(await outcome(client.callTool("greet"), 2 * SECONDS)).toMatchObject({
      content: [{ text: message }],
    });
  });

  test("ends when the task begins", async () => {
    const { manifest, ...rest } = createTasksFixture({
      log: "off",
      limits: { taskLifetimeMs: 10 * SECONDS },
    });
    const tools = manifest.tools.map((tool) => ({ ...tool, timeoutMs: 2 * SECONDS }));
    const server = quietServer({ ...rest, manifest: { ...manifest, tools } });
    const compute = { name: "compute", arguments: { ms: 5 * SECONDS } };
    const patient = await connectInMemory(server);
    const message = 'The tool "compute" took longer than 2 seconds and was stopped.';
    expect(await outcome(patient.callTool("compute", compute.arguments), 2 * SECONDS)).toMatchObject({
      content: [{ text: message }],
    });
    const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    const client = await connectInMemory(server, { capabilities });
    const requestStatus = async (taskId: unknown) => (await client.request("tasks/get", { taskId })).status;
    const { taskId } = await client.request("tools/call", compute);
    await vi.advanceTimersByTimeAsync(3 * SECONDS);
    expect(await requestStatus(taskId)).toBe("working");
    await vi.advanceTimersByTimeAsync(2 * SECONDS);
    expect(await requestStatus(taskId)).toBe("completed");
    vi.useRealTimers();
    await server.close();
  });

  test.each([
    [
      -1,
      'timeoutMs of tool "aborted" must be a number of milliseconds from 0 to 2147483647, which is 24 days (got -1)',
    ],
    [Number.NaN, "(got NaN)"],
    ["5s" as unknown as number, '(got "5s")'],
    [2 ** 31, "from 0 to 2147483647, which is 24 days (got 2147483648)"],
  ])("is rejected at startup: %s", (timeoutMs, message) => {
    expect(() => quietServer(createTimed(timeoutMs))).toThrow(message);
  });

  test.each(["callTimeoutMs", "taskLifetimeMs", "inputTimeoutMs", "sessionIdleTimeoutMs"] as const)(
    "limits.%s must fit a timer",
    (name) => {
      const limits = { [name]: Infinity };
      expect(() => quietServer(createFixture({ limits }))).toThrow(
        new RegExp(`^limits\\.${name} must be a .*number of milliseconds.* 2147483647`),
      );
    },
  );
});

describe("calls in progress", () => {
  test("are limited, while subscriptions do not count", async () => {
    const client = await connect({ maxConcurrentRequests: 3 });
    for (let count = 0; count < 5; count++) {
      void client.request("subscriptions/listen", { notifications: {} });
    }
    const running = Array.from({ length: 3 }, () => client.call("slow", { ms: 50 }));
    expect(await client.error("tools/call", { name: "slow", arguments: { ms: 1 } })).toMatchObject({
      code: -32603,
      message: "Too many requests are in progress on this connection.",
    });
    await Promise.all(running);
    expect(await client.call("slow", { ms: 1 })).toMatchObject({ content: [{ text: "Done." }] });
  });

  test("do not block a ping, even at the limit", async () => {
    const client = await connect({ maxConcurrentRequests: 1 }, LATEST_LEGACY);
    const running = client.call("slow", { ms: 50 });
    expect(await client.result("ping")).toEqual({});
    await running;
  });
});

test.each([
  { callTimeoutMs: -1 },
  { maxConcurrentRequests: 0 },
  { maxConcurrentCallsPerCaller: 0 },
  { maxSubscriptions: 0 },
  { maxSubscribedResources: Number.NaN },
])("an invalid limit is rejected: %j", (limits) => {
  expect(() => quietServer(createFixture({ limits }))).toThrow(/^limits\.\w+ must be a (positive )?number/);
});

test("an unknown limit is rejected with the names of all limits", () => {
  const limits = JSON.parse('{ "sessions": 100 }') as object;
  expect(() => quietServer(createFixture({ limits }))).toThrow(
    /^limits\.sessions is not an option\. Remove it, or use one of: maxBodyBytes, .*maxSessions, /,
  );
});

describe("concurrent calls of one caller", () => {
  const many = (calls = 2): Server =>
    quietServer(createFixture({ log: "off", limits: { maxConcurrentCallsPerCaller: calls } }));
  const as = (server: Server, principal = "ada", revision = LATEST) =>
    connectInMemory(server, { principal, revision, showErrors: false });
  const add = { a: 1, b: 2 };
  afterEach(() => release());

  test("are counted over all of its connections, apart from other callers", async () => {
    const server = many();
    const clients = await Promise.all([as(server), as(server, "ada", LATEST_LEGACY), as(server)]);
    const pending = clients.slice(0, 2).map((client) => client.callTool("hold"));
    const rejected = await clients[2]!.callTool("add", add);
    expect(rejected).toMatchObject({
      isError: true,
      content: [{ text: "Too many concurrent calls: 2 are allowed. Try again in 1 second." }],
    });
    await expect(clients[2]!.getPrompt("conversation")).rejects.toMatchObject({
      code: 429,
      data: { retryAfterMs: 1000 },
    });
    expect((await clients[2]!.listTools()).length).toBeGreaterThan(0);
    expect((await (await as(server, "grace")).callTool("add", add)).isError).toBeUndefined();
    release();
    await Promise.all(pending);
    expect((await clients[2]!.callTool("add", add)).isError).toBeUndefined();
  });

  test.each([
    ["completed", async (call: Promise<unknown>) => (release(), call)],
    ["cancelled", async (_call: Promise<unknown>, stop: AbortController) => stop.abort()],
    [
      "abandoned by their client",
      async (_call: Promise<unknown>, _stop: AbortController, client: TestClient) => client.close(),
    ],
  ])("free their slots when they are %s", async (_name, end) => {
    const server = many(1);
    for (let count = 0; count < 3; count++) {
      const [client, other] = await Promise.all([as(server), as(server)]);
      const stop = new AbortController();
      const call = client.callTool("hold", {}, { signal: stop.signal });
      call.catch(() => undefined);
      expect((await other.callTool("add", add)).isError).toBe(true);
      await end(call, stop, client);
      expect((await other.callTool("add", add)).isError).toBeUndefined();
    }
  });

  test("free their slots when they fail or time out", async () => {
    const limits = { maxConcurrentCallsPerCaller: 1, callTimeoutMs: 1 };
    const server = quietServer(createFixture({ log: "off", limits }));
    const client = await as(server);
    for (const [tool, args] of [
      ["fail", { how: "tool" }],
      ["fail", { how: "error" }],
      ["never", {}],
    ] as const) {
      expect((await client.callTool(tool, args)).isError).toBe(true);
      expect((await client.callTool("book", { city: "Oslo", days: 2 })).isError).toBeUndefined();
    }
  });

  test("keep their slots as tasks, until these end", async () => {
    const server = quietServer(
      createTasksFixture({ log: "off", limits: { maxConcurrentCallsPerCaller: 1 } }),
    );
    const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    const client = await connectInMemory(server, { principal: "ada", capabilities });
    const compute = () => client.request("tools/call", { name: "compute", arguments: { ms: 60_000 } });
    for (let count = 0; count < 2; count++) {
      const { resultType, taskId } = await compute();
      expect(resultType).toBe("task");
      expect((await compute()).isError).toBe(true);
      await client.request("tasks/cancel", { taskId });
    }
    const { taskId } = await client.request("tools/call", { name: "fail", arguments: {} });
    await eventually(async () => {
      expect((await client.request("tasks/get", { taskId })).status).toBe("completed");
    });
    expect((await compute()).resultType).toBe("task");
    await server.close();
  });

  test("are rejected over HTTP with 429, by address for unauthenticated callers", async () => {
    const handle = createHttpHandler(many(1), { address: (_request, from?: string) => from });
    const meta = "io.modelcontextprotocol";
    const post = (name: string, from?: string): Promise<Response> => {
      const _meta = { [`${meta}/protocolVersion`]: LATEST, [`${meta}/clientCapabilities`]: {} };
      const params = { name, arguments: {}, _meta };
      const message = { jsonrpc: "2.0" as const, id: 1, method: "tools/call", params };
      const init = { method: "POST", headers: headersFor(message), body: JSON.stringify(message) };
      return handle(new Request("http://localhost/mcp", init), from);
    };
    const pending = post("hold", "2001:db8::1");
    await eventually(async () => expect(heldCalls()).toBe(1));
    const rejected = await post("nothing", "2001:db8::2");
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await rejected.json()).toMatchObject({ error: { code: 429, data: { retryAfterMs: 1000 } } });
    expect((await post("nothing", "2001:db8:0:1::2")).status).toBe(200);
    // Without an address, callers cannot be distinguished, and do not count as one.
    const others = [post("hold"), post("hold")];
    await eventually(async () => expect(heldCalls()).toBe(3));
    release();
    expect((await Promise.all([pending, ...others])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await post("nothing", "2001:db8::2")).status).toBe(200);
  });
});
