/**
 * Work that outlasts the request that began it: what a later request with a token of fewer scopes or other claims still
 * reaches.
 */
import { createNotifier, type Principal, Tool } from "@tenon/runtime";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { createSseHandler } from "@tenon/runtime/sse";
import type { Application } from "@tenon/runtime/server";
import { memoryStore, sharedStore } from "@tenon/runtime/store";
import { connect } from "@tenon/runtime/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { readStream } from "../../support/event-stream.js";
import { eventually } from "../../support/eventually.js";
import { createAskingFixture } from "../asking/application.js";
import { createFixture } from "../fixture/application.js";
import { createTasksFixture } from "../tasks/application.js";
import { Jobs } from "../tasks/handlers.js";
import { openSession, pretendedToken, send, trustingAuth } from "./pretended-tokens.js";

const wide = pretendedToken({ scope: "read admin" });
const narrow = pretendedToken({ scope: "read" });
const events = { accept: "text/event-stream" };

let handle: HttpHandler;
afterEach(() => handle.close());

/** Collects the messages of a stream of events. */
function collect(stream: Response): { method?: string; params?: { uri?: string }; id?: unknown }[] {
  const messages: { method?: string }[] = [];
  const read = async (): Promise<void> => {
    for await (const { data = "" } of readStream(stream))
      if (data.startsWith("{")) messages.push(JSON.parse(data) as { method?: string });
  };
  read().catch(() => {});
  return messages;
}

describe("a subscriber of 2025-11-25", () => {
  const TABLE = "data://table";
  const TODAY = "notes://today";
  const notifier = createNotifier();

  /** Creates a server in which `data://table` needs the scope `admin`, and other resources none. */
  function application(): Application {
    const { manifest, ...rest } = createFixture({ auth: trustingAuth(), notifier });
    const resources = manifest.resources.map((each) =>
      each.definition.uri === TABLE ? { ...each, scopes: ["admin"] } : each,
    );
    return { ...rest, manifest: { ...manifest, resources } };
  }

  test("receives updates of a resource only while its newest token may read it", async () => {
    handle = createHttpHandler(quietServer(application(), { changeIntervalMs: 0 }));
    const headers = await openSession(handle, wide);
    for (const uri of [TABLE, TODAY]) {
      const message = { method: "resources/subscribe", params: { uri } };
      expect((await send(handle, { token: wide, headers, message })).status).toBe(200);
    }
    const stream = await send(handle, { verb: "GET", token: wide, headers: { ...headers, ...events } });
    const messages = collect(stream);
    const update = async (expected: string[]): Promise<void> => {
      messages.length = 0;
      notifier.resourceUpdated(TABLE);
      notifier.resourceUpdated(TODAY);
      await eventually(() => expect(messages.map(({ params }) => params?.uri)).toEqual(expected));
    };
    await update([TABLE, TODAY]);
    await send(handle, { token: narrow, headers, message: { method: "ping" } });
    await update([TODAY]);
    await send(handle, { token: wide, headers, message: { method: "ping" } });
    await update([TABLE, TODAY]);
  });

  test("receives no more updates if another process has received the newer token", async () => {
    const shared = memoryStore();
    const start = (): HttpHandler => {
      const { config, ...rest } = application();
      const store = sharedStore(shared);
      const server = quietServer({ ...rest, config: { ...config, store } }, { changeIntervalMs: 0 });
      return createHttpHandler(server);
    };
    handle = start();
    const other = start();
    try {
      const headers = await openSession(handle, wide);
      for (const uri of [TABLE, TODAY])
        await send(handle, {
          token: wide,
          headers,
          message: { method: "resources/subscribe", params: { uri } },
        });
      const stream = await send(handle, { verb: "GET", token: wide, headers: { ...headers, ...events } });
      const messages = collect(stream);
      const getUris = (): unknown[] => messages.map(({ params }) => params?.uri);
      notifier.resourceUpdated(TABLE);
      await eventually(() => expect(getUris()).toContain(TABLE));
      const ping = await send(other, { token: narrow, headers, message: { method: "ping" } });
      expect(ping.status).toBe(200);
      await eventually(async () => {
        messages.length = 0;
        notifier.resourceUpdated(TABLE);
        notifier.resourceUpdated(TODAY);
        // Both processes announce both.
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(getUris()).toContain(TODAY);
        expect(getUris()).not.toContain(TABLE);
      });
    } finally {
      await other.close();
    }
  });

  test("has the same limits over the older transport", async () => {
    handle = createSseHandler(quietServer(application(), { changeIntervalMs: 0 }));
    const stream = await send(handle, { verb: "GET", path: "/sse", token: wide, headers: events });
    let path = "";
    const uris: unknown[] = [];
    const responses: unknown[] = [];
    void (async () => {
      for await (const { data = "" } of readStream(stream)) {
        if (!data.startsWith("{")) path = data;
        else {
          const { params, result } = JSON.parse(data) as { params?: { uri?: string }; result?: unknown };
          if (params?.uri !== undefined) uris.push(params.uri);
          if (result !== undefined) responses.push(result);
        }
      }
    })().catch(() => {});
    await eventually(() => expect(path).not.toBe(""));
    const post = async (token: string, method: string, params: object = {}): Promise<void> => {
      const count = responses.length;
      await send(handle, { path, token, message: { method, params } });
      await eventually(() => expect(responses.length).toBeGreaterThan(count));
    };
    const clientInfo = { name: "test", version: "1" };
    await post(wide, "initialize", { protocolVersion: "2024-11-05", capabilities: {}, clientInfo });
    await post(wide, "resources/subscribe", { uri: TABLE });
    await post(wide, "resources/subscribe", { uri: TODAY });
    await post(narrow, "ping");
    notifier.resourceUpdated(TABLE);
    notifier.resourceUpdated(TODAY);
    await eventually(() => expect(uris).toContain(TODAY));
    expect(uris).toEqual([TODAY]);
  });
});

describe.each([
  ["in one process", undefined],
  ["in a store that processes share", () => sharedStore(memoryStore())],
])("a question of 2025-11-25 %s", (_, createStore) => {
  beforeEach(() => {
    const { manifest, ...rest } = createAskingFixture({
      auth: trustingAuth(),
      ...(createStore && { store: createStore() }),
    });
    const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["admin"] }));
    handle = createHttpHandler(quietServer({ ...rest, manifest: { ...manifest, tools } }));
  });

  /** Opens a session whose client answers questions. */
  async function open(): Promise<Record<string, string>> {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: "test", version: "1" },
    };
    const response = await send(handle, { token: wide, message: { method: "initialize", params } });
    await response.text();
    return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
  }

  test("accepts no answer from a token without the scope of its tool", async () => {
    const headers = await open();
    const params = { name: "greet", arguments: {} };
    const messages = collect(
      await send(handle, { token: wide, headers, message: { method: "tools/call", params, id: 7 } }),
    );
    await eventually(() => expect(messages.some(({ method }) => method === "elicitation/create")).toBe(true));
    const { id } = messages.find(({ method }) => method === "elicitation/create")!;
    const answer = (token: string, name: string): Promise<Response> =>
      handle(
        new Request("https://mcp.example.com/mcp", {
          method: "POST",
          headers: {
            ...headers,
            authorization: `Bearer ${token}`,
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-protocol-version": "2025-11-25",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id, result: { action: "accept", content: { name } } }),
        }),
      );
    const rejected = await answer(narrow, "Mallory");
    expect(rejected.status).toBe(403);
    expect(rejected.headers.get("www-authenticate")).toMatch(/error="insufficient_scope".*scope="[^"]*admin/);
    // The question stays open for the caller's other token.
    expect((await answer(wide, "Ada")).status).toBe(202);
    await eventually(() =>
      expect(messages.at(-1)).toMatchObject({ id: 7, result: { content: [{ text: "Hello, Ada!" }] } }),
    );
  });
});

describe("a task of a tool whose `authorize` decides based on the arguments", () => {
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const inTeam = (team: string): Parameters<typeof connect>[1] => ({
    capabilities,
    principal: { subject: "ada", claims: { team } },
  });

  class Guarded extends Jobs {}
  const decorate = Tool({
    authorize: (user: Principal | undefined, { text }: { text: string }) => user?.claims["team"] === text,
  } as never) as unknown as PropertyDecorator;
  Object.defineProperty(Guarded.prototype, "echo", {
    ...Object.getOwnPropertyDescriptor(Jobs.prototype, "echo"),
  });
  decorate(Guarded.prototype, "echo");

  test("exists only while the caller may make its call", async () => {
    const server = quietServer(createTasksFixture({ provide: [new Guarded()] }));
    handle = createHttpHandler(server);
    const engines = await connect(server, inTeam("engines"));
    const created = await engines.request("tools/call", { name: "echo", arguments: { text: "engines" } });
    const { taskId } = created;
    expect(await engines.request("tasks/get", { taskId })).toMatchObject({ taskId });

    // The same person, who works for another team now.
    const wings = await connect(server, inTeam("wings"));
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      await expect(wings.request(method, { taskId, inputResponses: {} })).rejects.toThrow(
        "There is no such task.",
      );
    void wings.request("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await eventually(() =>
      expect(wings.notifications.map(({ params }) => params["notifications"])).toEqual([{ taskIds: [] }]),
    );
  });
});
