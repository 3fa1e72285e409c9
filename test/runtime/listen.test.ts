import { PassThrough } from "node:stream";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { serveStdio, type StdioOutput } from "@tenon/runtime/stdio";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LATEST, quietServer } from "../support/describe-transports.js";
import { headersFor } from "../support/wires.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { createNotebook } from "./fixture/notebook.js";

/** Changes are announced four times a second. */
const DEFAULT_CHANGE_INTERVAL_MS = 250;

const META = "io.modelcontextprotocol";

afterEach(() => {
  vi.useRealTimers();
});

function listenMessage(id: string | number): WireMessage {
  return {
    jsonrpc: "2.0",
    id,
    method: "subscriptions/listen",
    params: {
      notifications: { toolsListChanged: true, resourceSubscriptions: ["note://1"] },
      _meta: { [`${META}/protocolVersion`]: LATEST, [`${META}/clientCapabilities`]: {} },
    },
  };
}

function listen(
  handle: HttpHandler,
  id: string | number,
  init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const message = listenMessage(id);
  return handle(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: { ...headersFor(message), ...init.headers },
      body: JSON.stringify(message),
      ...(init.signal && { signal: init.signal }),
    }),
  );
}

/** Reads a stream bit by bit, as it was written. */
function reader(response: Response): () => Promise<string | undefined> {
  const chunks = (response.body as ReadableStream<Uint8Array>).getReader();
  return async () => {
    const { value } = await chunks.read();
    return value === undefined ? undefined : new TextDecoder().decode(value);
  };
}

const message = (text: string | undefined): WireMessage => {
  const parsed = JSON.parse(/^data: (.*)\n\n$/.exec(text ?? "")?.[1] ?? "") as WireMessage;
  return parsed;
};

describe("a subscription over stdio", () => {
  test("ends with the empty result when stdin ends, and does not keep the process alive", async () => {
    const input = new PassThrough();
    let written = "";
    const output: StdioOutput = {
      write: (text, onDone) => {
        written += text;
        if (onDone !== undefined) setImmediate(onDone);
        return true;
      },
      on: () => {},
    };
    const server = quietServer(createNotebook({ limits: { stdinDrainTimeoutMs: 60_000 } }));
    const transport = serveStdio(server, { input, output });
    input.end(`${JSON.stringify(listenMessage("a"))}\n${JSON.stringify(listenMessage(2))}\n`);
    await transport.closed;
    const messages = written
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as WireMessage);
    expect(messages.map(({ id, method }) => method ?? id)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/subscriptions/acknowledged",
      "a",
      2,
    ]);
  });
});

describe("a subscription over Streamable HTTP", () => {
  test("is a stream that no proxy buffers, without event IDs", async () => {
    const server = quietServer(createNotebook());
    const response = await listen(createHttpHandler(server), "s");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const read = reader(response);
    expect(message(await read())).toEqual({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ["note://1"] },
        _meta: { [`${META}/subscriptionId`]: "s" },
      },
    });
    server.notify.promptsChanged();
    server.notify.resourceUpdated("note://2");
    server.notify.resourceUpdated("note://1");
    expect(message(await read())).toEqual({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri: "note://1", _meta: { [`${META}/subscriptionId`]: "s" } },
    });
  });

  test("sends comments to stay open while nothing happens", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const read = reader(await listen(createHttpHandler(quietServer(createNotebook())), 1));
    await read();
    vi.advanceTimersByTime(15_000);
    expect(await read()).toBe(": \n\n");
  });

  test("ends with the empty result when the server closes, without waiting for anything", async () => {
    const server = quietServer(createNotebook({ limits: { drainTimeoutMs: 60_000 } }));
    const handle = createHttpHandler(server);
    const streams = await Promise.all(Array.from({ length: 100 }, (_, id) => listen(handle, id)));
    await handle.close();
    for (const [id, response] of streams.entries()) {
      const read = reader(response);
      await read();
      expect(message(await read())).toEqual({
        jsonrpc: "2.0",
        id,
        result: {
          resultType: "complete",
          _meta: {
            [`${META}/serverInfo`]: { name: "notebook", version: "1.0.0" },
            [`${META}/subscriptionId`]: id,
          },
        },
      });
      expect(await read()).toBeUndefined();
    }
  });

  test("frees its slot when its client disconnects", async () => {
    const handle = createHttpHandler(quietServer(createNotebook({ limits: { maxSubscriptions: 1 } })));
    const controller = new AbortController();
    expect((await listen(handle, 1, { signal: controller.signal })).status).toBe(200);
    const rejected = await listen(handle, 2);
    expect([rejected.status, ((await rejected.json()) as WireMessage).id]).toEqual([503, 2]);
    controller.abort();
    expect((await listen(handle, 3)).status).toBe(200);
  });

  test("is rejected for a client that accepts no events", async () => {
    const handle = createHttpHandler(quietServer(createNotebook()));
    expect((await listen(handle, 1, { headers: { accept: "application/json" } })).status).toBe(406);
  });

  test("is closed when its client does not read, and leaves nothing behind", async () => {
    const server = quietServer(
      createNotebook({ limits: { maxStreamBufferBytes: 2000, maxSubscriptions: 1 } }),
    );
    const handle = createHttpHandler(server);
    await listen(handle, 1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    for (let count = 0; count < 100; count++) {
      server.notify.toolsChanged();
      await vi.advanceTimersByTimeAsync(DEFAULT_CHANGE_INTERVAL_MS);
    }
    vi.useRealTimers();
    expect((await listen(handle, 2)).status).toBe(200);
  });
});
