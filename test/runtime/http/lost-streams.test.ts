import { connect as connectSocket, type Socket } from "node:net";
import { once } from "node:events";
import type { HttpConfig, Limits } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterEach, describe, expect, test } from "vitest";
import { LATEST_LEGACY, quietServer } from "../../support/describe-transports.js";
import { readAllEvents, readStream, readFirstEvents, summarizeEvent } from "../../support/event-stream.js";
import { createNotebook, Notebook } from "../fixture/notebook.js";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A legacy session over HTTP, whose connections a test can cut. */
class Session {
  id = "";
  readonly #listener: Listener;
  #nextId = 1;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  async open(revision = LATEST_LEGACY): Promise<this> {
    const params = {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const response = await this.post("initialize", params);
    this.id = response.headers.get("mcp-session-id") ?? "";
    await response.text();
    return this;
  }

  post(method: string, params: object = {}, more: RequestInit = {}): Promise<Response> {
    return fetch(this.#listener.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(this.id === "" ? {} : { "mcp-session-id": this.id }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: this.#nextId++, method, params }),
      ...more,
    });
  }

  call(name: string, args: object = {}, more: RequestInit = {}): Promise<Response> {
    return this.post("tools/call", { name, arguments: args, _meta: { progressToken: "p" } }, more);
  }

  /** Subscribes to this many resources, and changes each. */
  async changes(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, index) => `n${index}`);
    for (const id of ids) await (await this.post("resources/subscribe", { uri: `note://${id}` })).text();
    for (const id of ids) await (await this.call("write", { id, text: "Changed" })).text();
  }

  get(lastEventId?: string, more: RequestInit = {}): Promise<Response> {
    return fetch(this.#listener.url, {
      headers: {
        accept: "text/event-stream",
        "mcp-session-id": this.id,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
      ...more,
    });
  }
}

async function start(limits: Partial<Limits> = {}, http: HttpConfig = {}): Promise<Listener> {
  const listener = await listen(
    quietServer(createNotebook({ limits: { drainTimeoutMs: 100, ...limits }, http })),
    {
      port: 0,
    },
  );
  closers.push(() => listener.close());
  return listener;
}

describe("the stream of a call", () => {
  test("begins with an event to resume from, and gives every event an ID", async () => {
    const session = await new Session(await start()).open();
    const found = await readAllEvents(await session.call("slow", { ms: 1 }, {}));
    expect(found).toEqual([]);
    const polled = await readFirstEvents(await session.call("poll", { ms: 1 }), 2);
    expect(polled[0]).toMatchObject({ data: "" });
    const ids = polled.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^[\x21-\x7e]+$/.test(id ?? ""))).toBe(true);
  });

  test.each(["2025-03-26", "2025-06-18"])("has no event without data at %s", async (revision) => {
    const session = await new Session(await start()).open(revision);
    const found = await readAllEvents(await session.call("poll", { ms: 1 }));
    expect(found.map(summarizeEvent)).toEqual([
      "notifications/progress",
      "notifications/progress",
      "Worth the wait.",
    ]);
    expect(found.every(({ id }) => id !== undefined)).toBe(true);
  });

  test("can be closed by the handler, and resumed where it ended", async () => {
    const session = await new Session(await start()).open();
    const before = await readAllEvents(await session.call("poll", { ms: 50 }));
    expect(before.map(summarizeEvent)).toEqual(["(nothing)", "notifications/progress", "(nothing)"]);
    expect(before.at(-1)).toMatchObject({ retry: "20" });
    const after = await readAllEvents(await session.get(before.at(-1)?.id));
    expect(after.map(summarizeEvent)).toEqual(["notifications/progress", "Worth the wait."]);
    expect(new Set([...before.slice(0, 2), ...after].map(({ id }) => id)).size).toBe(4);
  });

  test("can be resumed after the call ended, from any event, more than once", async () => {
    const session = await new Session(await start()).open();
    const [priming, progress] = await readAllEvents(await session.call("poll", { ms: 1 }));
    await readAllEvents(await session.get(progress?.id));
    expect((await readAllEvents(await session.get(priming?.id))).map(summarizeEvent)).toEqual([
      "notifications/progress",
      "notifications/progress",
      "Worth the wait.",
    ]);
    for (let time = 0; time < 2; time++) {
      const rest = await readAllEvents(await session.get(progress?.id));
      expect(rest.map(summarizeEvent)).toEqual(["notifications/progress", "Worth the wait."]);
    }
  });

  test("is not reopened for a client that has received everything", async () => {
    const session = await new Session(await start()).open();
    const [priming] = await readAllEvents(await session.call("poll", { ms: 1 }));
    const last = (await readAllEvents(await session.get(priming?.id))).at(-1);
    const nothing = await session.get(last?.id);
    expect([nothing.status, await nothing.text()]).toEqual([204, ""]);
  });

  test("continues when its client's connection is cut", async () => {
    const session = await new Session(await start()).open("2025-06-18");
    const cut = new AbortController();
    const [progress] = await readFirstEvents(
      await session.call("poll", { ms: 100 }, { signal: cut.signal }),
      1,
    );
    cut.abort();
    const rest = await readAllEvents(await session.get(progress?.id));
    expect(rest.map(summarizeEvent)).toEqual(["notifications/progress", "Worth the wait."]);
  });

  test("belongs to its session", async () => {
    const listener = await start();
    const [mine, foreign] = [await new Session(listener).open(), await new Session(listener).open()];
    const [priming] = await readAllEvents(await mine.call("poll", { ms: 1 }));
    expect((await foreign.get(priming?.id)).status).toBe(400);
  });

  test.each(["", "x", "1", "99-0", "1-99", "1-1-1", "-1-0", "01-0", "1e3-0", "__proto__"])(
    "is not resumed from the ID %j",
    async (id) => {
      const session = await new Session(await start()).open();
      await readAllEvents(await session.call("poll", { ms: 1 }));
      expect((await session.get(id)).status).toBe(400);
    },
  );

  test("is kept only up to the limit", async () => {
    const session = await new Session(await start({ maxReplayBytes: 700 })).open();
    const [old] = await readAllEvents(await session.call("poll", { ms: 1 }));
    await readAllEvents(await session.get(old?.id));
    const [recent] = await readAllEvents(await session.call("poll", { ms: 1 }));
    await readAllEvents(await session.get(recent?.id));
    expect((await session.get(old?.id)).status).toBe(400);
    const rest = await readAllEvents(await session.get(recent?.id));
    expect(rest.map(summarizeEvent)).toHaveLength(3);
    const nothing = await new Session(await start({ maxReplayBytes: 0 })).open();
    const { polled } = Notebook;
    const [lost] = await readAllEvents(await nothing.call("poll", { ms: 1 }));
    await expect.poll(() => Notebook.polled).toBe(polled + 1);
    expect((await nothing.get(lost?.id)).status).toBe(400);
  });
});

describe("the standalone stream", () => {
  test("replays what its client missed", async () => {
    const session = await new Session(await start()).open();
    const cut = new AbortController();
    const stream = await session.get(undefined, { signal: cut.signal });
    await (await session.call("unlock")).text();
    const [priming, tools] = await readFirstEvents(stream, 3);
    expect(priming).toMatchObject({ data: "" });
    cut.abort();
    await (await session.call("lock")).text();
    const again = await session.get(tools?.id);
    expect((await readFirstEvents(again, 3)).map(summarizeEvent)).toEqual([
      "notifications/prompts/list_changed",
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
    ]);
  });

  test("begins with earlier messages, and sends them once", async () => {
    const session = await new Session(await start()).open();
    await (await session.post("resources/subscribe", { uri: "note://1" })).text();
    await (await session.call("write", { id: "1", text: "Early" })).text();
    const cut = new AbortController();
    const [early] = await readFirstEvents(await session.get(undefined, { signal: cut.signal }), 1);
    expect(summarizeEvent(early ?? {})).toBe("note://1");
    cut.abort();
    const again = await session.get();
    await (await session.call("unlock")).text();
    expect((await readFirstEvents(again, 2)).map(summarizeEvent)).toEqual([
      "(nothing)",
      "notifications/tools/list_changed",
    ]);
  });

  test("keeps a bounded number of messages for a client that never listens", async () => {
    const session = await new Session(await start()).open();
    await session.changes(120);
    const stream = await session.get();
    await (await session.call("unlock")).text();
    const found = await readFirstEvents(stream, 101);
    expect(found.at(-1)?.id).toBe("0-101");
  });

  test("is resumed with a notice of missed messages if there were too many", async () => {
    const session = await new Session(await start({ maxReplayBytes: 300 })).open();
    const cut = new AbortController();
    const [priming] = await readFirstEvents(await session.get(undefined, { signal: cut.signal }), 1);
    cut.abort();
    await session.changes(20);
    const again = await session.get(priming?.id);
    expect(again.status).toBe(200);
    const [oldest] = await readFirstEvents(again, 1);
    expect(Number(oldest?.id?.split("-")[1])).toBeGreaterThan(1);
  });

  test("excludes other sessions, whose requests have the same IDs", async () => {
    const listener = await start();
    const sessions = await Promise.all(Array.from({ length: 50 }, () => new Session(listener).open()));
    const streams = await Promise.all(
      sessions.map(async (session, index) => {
        await (await session.post("resources/subscribe", { uri: `note://mine-${index}` })).text();
        return session.get();
      }),
    );
    await Promise.all(
      sessions.map(async (session, index) => {
        const other = (index + 1) % sessions.length;
        await (await session.call("write", { id: `mine-${other}`, text: "By another" })).text();
      }),
    );
    const heard = await Promise.all(
      streams.map(async (stream) => {
        for await (const { data = "" } of readStream(stream)) {
          if (data.includes("resources/updated")) return data;
        }
        return "";
      }),
    );
    for (const [index, data] of heard.entries()) expect(data).toContain(`"note://mine-${index}"`);
  });

  test("can be reopened after two thousand close at the same time", async () => {
    const listener = await start();
    const sessions = await Promise.all(Array.from({ length: 200 }, () => new Session(listener).open()));
    const sockets: Socket[] = [];
    for (let round = 0; round < 10; round += 1) {
      // Opened in turns, since the system resets some connections if its queue for a listener overflows.
      const opened = sessions.map(({ id }) => openStream(listener.port, id ?? ""));
      await Promise.all(opened.map((socket) => once(socket, "data")));
      sockets.push(...opened);
    }
    for (const socket of sockets) socket.destroy();
    const [session] = sessions;
    expect(await (await session?.call("unlock"))?.text()).toContain("Unlocked.");
    const stream = await session?.get();
    await (await session?.call("lock"))?.text();
    expect((await readFirstEvents(stream as Response, 2)).map(summarizeEvent)[1]).toBe(
      "notifications/tools/list_changed",
    );
    expect(listener.endpoint.sessions).toBe(200);
  });
});

/** Opens a standalone stream of a session, as a bare socket. */
function openStream(port: number, session: string): Socket {
  const socket = connectSocket(port, "127.0.0.1").on("error", () => {});
  const lines = [
    "GET /mcp HTTP/1.1",
    "Host: localhost",
    "Accept: text/event-stream",
    `Mcp-Session-Id: ${session}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

describe("a session of a principal", () => {
  const http: HttpConfig = {
    principal: ({ header }) => Promise.resolve(header("authorization")?.replace("Bearer ", "")),
  };
  const as = (name: string) => ({ authorization: `Bearer ${name}` });

  test("does not exist for other principals", async () => {
    const listener = await start({}, http);
    const base = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const send = (headers: Record<string, string>, method: string, verb = "POST") =>
      fetch(listener.url, {
        method: verb,
        headers: { ...base, ...headers },
        ...(verb === "POST"
          ? {
              body: JSON.stringify({
                jsonrpc: "2.0",
                id: 1,
                method,
                params: { protocolVersion: LATEST_LEGACY, capabilities: {} },
              }),
            }
          : {}),
      });
    const opened = await send(as("ada"), "initialize");
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    expect((await send({ ...session, ...as("ada") }, "ping")).status).toBe(200);
    for (const other of [as("eve"), {}]) {
      expect((await send({ ...session, ...other }, "ping")).status).toBe(404);
      expect((await send({ ...session, ...other }, "", "GET")).status).toBe(404);
      expect((await send({ ...session, ...other }, "", "DELETE")).status).toBe(404);
    }
    expect((await send({ ...session, ...as("ada") }, "ping")).status).toBe(200);
  });

  test("is rejected if its principal cannot be determined", async () => {
    const fail = (): never => {
      throw new Error("secret of the token service");
    };
    const handle = createHttpHandler(quietServer(createNotebook({ http: { principal: fail } })));
    const request = new Request("http://localhost/mcp", { method: "POST", body: "{}" });
    const response = await handle(request);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });
});
