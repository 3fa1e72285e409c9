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
import { heldCalls, Prompts, release, Resources, Tools } from "./fixture/handlers.js";
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

  test.each([LATEST, LATEST_LEGACY])("is stopped and answered at %s", async (revision) => {
    const client = await connect({ callMs: 30 }, revision);
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

  test("is stopped when it listens to nothing at all, and answered once", async () => {
    const wire = memoryWire(quietServer(createFixture({ limits: { callMs: 20 } })));
    const said: string[] = [];
    const onMessage: typeof wire.onMessage = (listener) =>
      wire.onMessage((text) => {
        said.push(text);
        listener(text);
      });
    const client = new WireClient({ ...wire, onMessage }, { revision: LATEST });
    const calls = [client.call("never"), client.call("pause", { ms: 40 })];
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.all(calls)).toMatchObject([{ isError: true }, { isError: true }]);
    await vi.advanceTimersByTimeAsync(40);
    expect(await client.call("nothing")).toMatchObject({ content: [] });
    expect(said).toHaveLength(3);
  });

  test("does not end subscriptions", async () => {
    const client = await connect({ callMs: 20 });
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

  /** The fixture with a limit on everything, and handlers that never end. */
  function timed(timeoutMs: number, config: ServerConfig = {}): Application {
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
  const clientOf = (application: Application, onInternalError: (report: unknown) => void = () => {}) =>
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
    ["is shorter than", 2 * SECONDS, 60 * SECONDS],
    ["is longer than", 2 * SECONDS, SECONDS],
    ["needs no", 2 * SECONDS, 0],
  ])("%s that of all calls", async (_name, own, callMs) => {
    const client = await clientOf(timed(own, { limits: { callMs } }));
    const call = client.callTool("never");
    expect(await outcome(call, own - 1)).toBe("running");
    expect(await outcome(call, 1)).toMatchObject(STOPPED);
  });

  test("of 0 is none", async () => {
    const client = await clientOf(timed(0, { limits: { callMs: SECONDS } }));
    expect(await outcome(client.callTool("never"), 3600 * SECONDS)).toBe("running");
    client.close();
  });

  test.each([
    ['prompt "conversation"', (client: TestClient) => client.getPrompt("conversation")],
    ['resource "notes://today"', (client: TestClient) => client.readResource("notes://today")],
    ['resource "note://{id}"', (client: TestClient) => client.readResource("note://7")],
  ])("is that of a %s, too", async (subject, act) => {
    const client = await clientOf(timed(2 * SECONDS));
    const error = await outcome(act(client), 2 * SECONDS);
    const message = `The ${subject} took longer than 2 seconds and was stopped.`;
    expect(error).toMatchObject({ code: -32603, message });
  });

  test("is seen by middleware as a `TimeoutError` from `next`, with the signal aborted", async () => {
    const seen: unknown[] = [];
    const use: Middleware = async (call, next) => {
      try {
        return await next();
      } catch (error) {
        seen.push((error as Error).name, call.signal.aborted, (call.signal.reason as Error).name);
        throw error;
      }
    };
    const client = await clientOf(timed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS)).toMatchObject(STOPPED);
    await Promise.resolve();
    expect(seen).toEqual(["TimeoutError", true, "TimeoutError"]);
  });

  test("lets middleware answer instead, at once", async () => {
    const cached = { content: [{ type: "text" as const, text: "As of yesterday." }] };
    const use: Middleware = (_call, next) => next().catch(() => cached);
    const client = await clientOf(timed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS)).toMatchObject(cached);
  });

  test.each<[string, Middleware]>([
    ["before the handler", forever],
    ["after it", (_call, next) => next().catch(forever)],
    [
      "to try again",
      async (_call, next) => {
        for (;;) await next().catch(() => new Promise((resolve) => setTimeout(resolve)));
      },
    ],
  ])("is not put off by middleware that waits %s", async (_name, use) => {
    const client = await clientOf(timed(2 * SECONDS, { use: [use] }));
    expect(await outcome(client.callTool("never"), 2 * SECONDS + 1)).toMatchObject(STOPPED);
    client.close();
  });

  test.each<[string, (signal: AbortSignal) => unknown, number]>([
    ["rethrows the reason", (signal) => signal.reason, 0],
    ["throws words of its own", () => new ToolError("Too slow."), 0],
    ["fails in another way", () => new Error("hunter2"), 1],
  ])("is what the client hears of where the handler %s", async (_name, end, reported) => {
    const wait = (signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(end(signal)));
      });
    const reports: unknown[] = [];
    const provide = [Object.assign(new Tools(), { wait })];
    const client = await clientOf(timed(2 * SECONDS, { provide }), (report) => void reports.push(report));
    const message = 'The tool "wait" took longer than 2 seconds and was stopped.';
    expect(await outcome(client.callTool("wait"), 2 * SECONDS)).toMatchObject({
      content: [{ text: message }],
    });
    expect(reports).toHaveLength(reported);
  });

  test("counts what the client's user takes to answer", async () => {
    const application = createAskingFixture({ limits: { callMs: 2 * SECONDS } });
    const answers = { elicit: forever };
    const client = await connectInMemory(quietServer(application), { revision: LATEST_LEGACY, answers });
    const message = 'The tool "greet" took longer than 2 seconds and was stopped.';
    expect(await outcome(client.callTool("greet"), 2 * SECONDS)).toMatchObject({
      content: [{ text: message }],
    });
  });

  test("ends with a task's beginning", async () => {
    const { manifest, ...rest } = createTasksFixture({ log: "off", limits: { taskMs: 10 * SECONDS } });
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
    const statusOf = async (taskId: unknown) => (await client.request("tasks/get", { taskId })).status;
    const { taskId } = await client.request("tools/call", compute);
    await vi.advanceTimersByTimeAsync(3 * SECONDS);
    expect(await statusOf(taskId)).toBe("working");
    await vi.advanceTimersByTimeAsync(2 * SECONDS);
    expect(await statusOf(taskId)).toBe("completed");
    vi.useRealTimers();
    await server.close();
  });

  test.each([
    [-1, 'timeoutMs of tool "aborted" must be a number of milliseconds (got -1)'],
    [Number.NaN, "must be a number of milliseconds (got NaN)"],
    ["5s" as unknown as number, "must be a number of milliseconds (got 5s)"],
    [2 ** 31, "must be at most 2147483647, which is 24 days (got 2147483648)"],
  ])("of %s is refused at the start", (timeoutMs, message) => {
    expect(() => quietServer(timed(timeoutMs))).toThrow(message);
  });

  test.each(["callMs", "taskMs", "answerMs", "sessionIdleMs"] as const)(
    "limits.%s must fit a timer",
    (name) => {
      const limits = { [name]: Infinity };
      expect(() => quietServer(createFixture({ limits }))).toThrow(
        `limits.${name} must be at most 2147483647`,
      );
    },
  );
});

describe("calls in progress", () => {
  test("are as many as the limits allow, while subscriptions do not count", async () => {
    const client = await connect({ calls: 3 });
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

  test("leave room for a ping", async () => {
    const client = await connect({ calls: 1 }, LATEST_LEGACY);
    const running = client.call("slow", { ms: 50 });
    expect(await client.result("ping")).toEqual({});
    await running;
  });
});

test.each([
  { callMs: -1 },
  { calls: 0 },
  { callsPerCaller: 0 },
  { subscriptions: 0 },
  { subscribedResources: Number.NaN },
])("an invalid limit is refused: %j", (limits) => {
  expect(() => quietServer(createFixture({ limits }))).toThrow(/must be a positive number/);
});

describe("calls of one caller in progress", () => {
  const many = (calls = 2): Server =>
    quietServer(createFixture({ log: "off", limits: { callsPerCaller: calls } }));
  const as = (server: Server, principal = "ada", revision = LATEST) =>
    connectInMemory(server, { principal, revision, showErrors: false });
  const add = { a: 1, b: 2 };
  afterEach(() => release());

  test("are counted over all of its connections, and others' are not", async () => {
    const server = many();
    const clients = await Promise.all([as(server), as(server, "ada", LATEST_LEGACY), as(server)]);
    const held = clients.slice(0, 2).map((client) => client.callTool("hold"));
    const refused = await clients[2]!.callTool("add", add);
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: "Too many calls at once: 2 are allowed. Try again in 1 second." }],
    });
    await expect(clients[2]!.getPrompt("conversation")).rejects.toMatchObject({
      code: 429,
      data: { retryAfterMs: 1000 },
    });
    expect((await clients[2]!.listTools()).length).toBeGreaterThan(0);
    expect((await (await as(server, "grace")).callTool("add", add)).isError).toBeUndefined();
    release();
    await Promise.all(held);
    expect((await clients[2]!.callTool("add", add)).isError).toBeUndefined();
  });

  test.each([
    ["answered", async (call: Promise<unknown>) => (release(), call)],
    ["cancelled", async (_call: Promise<unknown>, stop: AbortController) => stop.abort()],
    [
      "left by their client",
      async (_call: Promise<unknown>, _stop: AbortController, client: TestClient) => client.close(),
    ],
  ])("make room when they are %s", async (_name, end) => {
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

  test("make room when they fail, or take too long", async () => {
    const limits = { callsPerCaller: 1, callMs: 1 };
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

  test("go on as tasks, until these are over", async () => {
    const server = quietServer(createTasksFixture({ log: "off", limits: { callsPerCaller: 1 } }));
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

  test("are refused over HTTP with 429, by address where nobody has signed for them", async () => {
    const handle = createHttpHandler(many(1), { address: (_request, from?: string) => from });
    const meta = "io.modelcontextprotocol";
    const post = (name: string, from?: string): Promise<Response> => {
      const _meta = { [`${meta}/protocolVersion`]: LATEST, [`${meta}/clientCapabilities`]: {} };
      const params = { name, arguments: {}, _meta };
      const message = { jsonrpc: "2.0" as const, id: 1, method: "tools/call", params };
      const init = { method: "POST", headers: headersFor(message), body: JSON.stringify(message) };
      return handle(new Request("http://localhost/mcp", init), from);
    };
    const held = post("hold", "2001:db8::1");
    await eventually(async () => expect(heldCalls()).toBe(1));
    const refused = await post("nothing", "2001:db8::2");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({ error: { code: 429, data: { retryAfterMs: 1000 } } });
    expect((await post("nothing", "2001:db8:0:1::2")).status).toBe(200);
    // Without an address, callers cannot be told apart, and are not taken for one.
    const others = [post("hold"), post("hold")];
    await eventually(async () => expect(heldCalls()).toBe(3));
    release();
    expect((await Promise.all([held, ...others])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await post("nothing", "2001:db8::2")).status).toBe(200);
  });
});
