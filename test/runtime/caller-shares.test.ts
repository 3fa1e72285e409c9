/** An identified caller may have half of all sessions, subscriptions, and tasks, so that others have the rest. */
import type { ServerConfig } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { createNotebook } from "./fixture/notebook.js";
import { createTasksFixture } from "./tasks/application.js";

describe("the sessions of a caller", () => {
  /** Starts a server for four sessions, whose callers send their names. */
  function startServer() {
    const config: ServerConfig = {
      limits: { maxSessions: 4 },
      http: { principal: ({ header }) => header("x-user") },
    };
    const handle = createHttpHandler(quietServer(createNotebook(config)));
    const send = (user: string, init: RequestInit): Promise<Response> => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const named = user === "" ? {} : { "x-user": user };
      const all = { ...headers, ...named, ...(init.headers as Record<string, string>) };
      return handle(new Request("http://localhost/mcp", { ...init, headers: all }));
    };
    const post = (user: string, method: string, params: object, session = ""): Promise<Response> =>
      send(user, {
        method: "POST",
        headers: session === "" ? {} : { "mcp-session-id": session },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
    const clientInfo = { name: "test", version: "1" };
    const open = async (user: string): Promise<{ status: number; session: string }> => {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      const response = await post(user, "initialize", params);
      await response.text();
      return { status: response.status, session: response.headers.get("mcp-session-id") ?? "" };
    };
    return {
      open,
      isOpen: async (user: string, session: string) => (await post(user, "ping", {}, session)).status === 200,
      /** Keeps a session in use. */
      listen: async (user: string, session: string) =>
        (await send(user, { headers: { "mcp-session-id": session, accept: "text/event-stream" } })).body,
    };
  }

  test("end for another session of the same caller, and not for those of other callers", async () => {
    const { open, isOpen } = startServer();
    const { session: bob } = await open("bob");
    const ada = [await open("ada"), await open("ada"), await open("ada")];
    expect(await isOpen("bob", bob)).toBe(true);
    expect(await Promise.all(ada.map(({ session }) => isOpen("ada", session)))).toEqual([false, true, true]);
  });

  test("leave room for others, even if all are in use", async () => {
    const { open, listen } = startServer();
    const ada = [await open("ada"), await open("ada")];
    const streams = await Promise.all(ada.map(({ session }) => listen("ada", session)));
    expect((await open("ada")).status).toBe(503);
    expect((await open("bob")).status).toBe(200);
    await Promise.all(streams.map((stream) => stream?.cancel()));
  });

  test("are not limited if the caller is anonymous", async () => {
    const { open, isOpen } = startServer();
    const opened = [await open(""), await open(""), await open(""), await open("")];
    expect(await Promise.all(opened.map(({ session }) => isOpen("", session)))).not.toContain(false);
  });
});

test("the HTTP+SSE sessions of a caller leave room for others", async () => {
  const config: ServerConfig = {
    limits: { maxSessions: 4 },
    http: { principal: ({ header }) => header("x-user") },
  };
  const handle = createSseHandler(quietServer(createNotebook(config)));
  const open = async (user: string): Promise<number> => {
    const headers = { accept: "text/event-stream", ...(user !== "" && { "x-user": user }) };
    return (await handle(new Request("http://localhost/sse", { headers }))).status;
  };
  expect([await open("ada"), await open("ada"), await open("ada")]).toEqual([200, 200, 503]);
  expect([await open("bob"), await open(""), await open("")]).toEqual([200, 200, 503]);
  await handle.close();
});

const TASKS = { capabilities: { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } } };

describe("the tasks of a caller", () => {
  test("leave room for others, and ended ones make room for their owner only", async () => {
    const server = createServer(createTasksFixture({ limits: { maxTasks: 4 } }));
    const createClient = (user?: string) =>
      new WireClient(memoryWire(server, user), { revision: "2026-07-28", ...TASKS });
    const start = async (client: WireClient, name: string, args: object = {}) =>
      (await client.result("tools/call", { name, arguments: args }))["taskId"] as string;
    const until = (client: WireClient, taskId: string) =>
      expect.poll(async () => (await client.result("tasks/get", { taskId }))["status"]).toBe("completed");
    const [ada, bob] = [createClient("ada"), createClient("bob")];
    const ended = {
      bob: await start(bob, "compute", { ms: 0 }),
      ada: await start(ada, "compute", { ms: 0 }),
    };
    await until(bob, ended.bob);
    await until(ada, ended.ada);
    await start(ada, "confirm");
    // Her third task takes the place of her first.
    await start(ada, "confirm");
    expect((await ada.error("tasks/get", { taskId: ended.ada })).code).toBe(-32602);
    expect((await ada.error("tools/call", { name: "confirm" })).message).toBe(
      "Too many of your tasks are in progress.",
    );
    await until(bob, ended.bob);
    await start(bob, "confirm");
    await server.close();
  });
});

describe("the subscriptions of a caller", () => {
  test("leave room for those of others, and for a new one when one ends", async () => {
    const server = quietServer(createNotebook({ limits: { maxSubscriptions: 4 } }));
    const notifications = { toolsListChanged: true };
    const subscribe = async (client: WireClient, id: string): Promise<string> => {
      let rejection: WireMessage | undefined;
      void client
        .request("subscriptions/listen", { notifications }, id)
        .then((response) => (rejection = response));
      await expect.poll(() => rejection ?? client.notifications[0]).toBeDefined();
      client.notifications.length = 0;
      return rejection?.error?.message ?? "open";
    };
    const [ada, bob] = ["ada", "bob"].map(
      (user) => new WireClient(memoryWire(server, user), { revision: "2026-07-28" }),
    ) as [WireClient, WireClient];
    expect([await subscribe(ada, "1"), await subscribe(ada, "2")]).toEqual(["open", "open"]);
    expect(await subscribe(ada, "3")).toBe("A caller may have at most 2 open subscriptions.");
    expect([await subscribe(bob, "1"), await subscribe(bob, "2")]).toEqual(["open", "open"]);
    ada.notify("notifications/cancelled", { requestId: "1" });
    expect(await subscribe(ada, "4")).toBe("open");
    await server.close();
  });
});
