import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { hostname } from "node:os";
import { connect as connectSocket } from "node:net";
import type { Limits, Observer } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { createNodeHandler, listen, type Listener, type ListenOptions } from "@tenon/runtime/node";
import type { Server } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { afterEach, describe, expect, test } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../../support/describe-transports.js";
import { headersFor, readEvents } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createFixture } from "../fixture/application.js";
import { heldCalls, release } from "../fixture/src/handlers.js";

const META = "io.modelcontextprotocol";
const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

async function start(limits: Partial<Limits> = {}, options: ListenOptions = {}): Promise<Listener> {
  const listener = await listen(quietServer(createFixture({ limits: { drainTimeoutMs: 100, ...limits } })), {
    port: 0,
    ...options,
  });
  listeners.push(listener);
  return listener;
}

const modern = (method: string, params: object = {}, meta: object = {}): WireMessage => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {
    ...params,
    _meta: { [`${META}/protocolVersion`]: LATEST, [`${META}/clientCapabilities`]: {}, ...meta },
  },
});

const add = modern("tools/call", { name: "add", arguments: { a: 1, b: 2 } });

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  message: WireMessage;
}

/** Sends a request with any `Host`, which `fetch` does not allow. */
async function send(
  listener: Listener,
  init: {
    method?: string;
    path?: string;
    headers?: Record<string, string | string[]>;
    body?: string | Buffer;
    message?: WireMessage;
    session?: string;
  },
): Promise<Answer> {
  const { method = "POST", path = "/mcp", message, session } = init;
  const headers = { ...(message === undefined ? {} : headersFor(message, session)), ...init.headers };
  const request = httpRequest({ host: "127.0.0.1", port: listener.port, method, path, headers });
  request.end(init.body ?? (message === undefined ? undefined : JSON.stringify(message)));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  const isJson = text !== "" && response.headers["content-type"] === "application/json";
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    message: isJson ? (JSON.parse(text) as WireMessage) : { jsonrpc: "" },
  };
}

async function openSession(listener: Listener, revision = LATEST_LEGACY): Promise<string> {
  const message: WireMessage = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const { headers } = await send(listener, { message });
  return headers["mcp-session-id"] as string;
}

const legacy = (method: string, params: object = {}): WireMessage => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: { ...params },
});

describe("Host and Origin", () => {
  test.each([
    ["a foreign Host", { host: "evil.example.com" }],
    ["a foreign Host with the right port", { host: "evil.example.com:3000" }],
    ["a Host that only begins like this machine", { host: "localhost.evil.example.com" }],
    ["an address of another machine", { host: "192.168.1.5" }],
    ["a Host with an invalid port", { host: "localhost:evil.example.com" }],
    ["a Host that only begins with an address", { host: "[::1].evil.example.com" }],
    ["a foreign Origin", { origin: "https://evil.example.com" }],
    ["an Origin that only begins like this machine", { origin: "http://localhost.evil.example.com" }],
    ["the Origin of a sandboxed page", { origin: "null" }],
    ["an Origin of another scheme", { origin: "file://localhost" }],
    ["an Origin with user information", { origin: "https://localhost@evil.example.com" }],
  ])("%s alone is rejected with 403", async (_, headers) => {
    const listener = await start();
    for (const message of [add, legacy("initialize", { protocolVersion: LATEST_LEGACY })]) {
      const answer = await send(listener, { message, headers });
      expect(answer.status).toBe(403);
      expect(answer.message).toMatchObject({ error: { code: -32600 } });
      expect(answer.message).not.toHaveProperty("id");
    }
    expect((await send(listener, { method: "GET", headers })).status).toBe(403);
  });

  test.each([
    ["localhost", { host: "localhost:3000" }],
    ["an address of this machine", { host: "127.0.0.1" }],
    ["another address of this machine", { host: "127.0.0.2:3000" }],
    ["an address of this machine in IPv6", { host: "[::1]:3000" }],
    ["a Host in mixed case", { host: "LocalHost" }],
    ["a local page", { origin: "http://localhost:5173" }],
    ["a local page at an address", { origin: "http://127.0.0.2:5173" }],
    ["a local page in IPv6", { origin: "https://[::1]" }],
    ["a request with spoofed forwarding headers", { "x-forwarded-host": "evil.example.com" }],
  ])("%s is served", async (_, headers) => {
    const listener = await start();
    expect(await send(listener, { message: add, headers: headers as Record<string, string> })).toMatchObject({
      status: 200,
    });
  });

  test("only requests with listed names are served", async () => {
    const listener = await start(
      {},
      { allowedHosts: ["mcp.example.com"], allowedOrigins: ["https://app.example.com"] },
    );
    const status = async (headers: Record<string, string>) =>
      (await send(listener, { message: add, headers })).status;
    expect(await status({ host: "mcp.example.com", origin: "https://app.example.com" })).toBe(200);
    expect(await status({ host: "mcp.example.com:8443" })).toBe(200);
    expect(await status({ host: "other.example.com" })).toBe(403);
    expect(await status({ host: "mcp.example.com", origin: "http://app.example.com" })).toBe(403);
  });

  test("a server on all interfaces accepts addresses, but no foreign names", async () => {
    const listener = await start({}, { host: "0.0.0.0" });
    const status = async (host: string) => (await send(listener, { message: add, headers: { host } })).status;
    expect(await status("192.168.1.5:3000")).toBe(200);
    expect(await status("evil.example.com")).toBe(403);
  });

  test("a server that listens on a name accepts it", async () => {
    const { url } = await start({}, { host: hostname() });
    expect(new URL(url).hostname).toBe(hostname());
    const { status } = await fetch(url, {
      method: "POST",
      headers: headersFor(add),
      body: JSON.stringify(add),
    });
    expect(status).toBe(200);
  });

  test.each([
    ["Host", "evil.example.com"],
    ["Content-Type", "text/plain"],
    ["Authorization", "Bearer other"],
  ])("a second %s header is rejected", async (name, second) => {
    const rejected: string[] = [];
    const observer: Observer = {
      observe: () => undefined,
      requestRejected: ({ status, reason, address }) => rejected.push(`${status} ${reason} ${address}`),
    };
    const listener = await listen(quietServer(createFixture({ observe: [observer] })), { port: 0 });
    listeners.push(listener);
    const { port } = listener;
    const body = JSON.stringify(add);
    const socket = connectSocket(port, "127.0.0.1");
    const lines = [
      "POST /mcp HTTP/1.1",
      "Host: 127.0.0.1",
      "Content-Type: application/json",
      "Authorization: Bearer one",
      `${name.toUpperCase()}: ${second}`,
    ];
    socket.end(`${lines.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(chunk.toString()).toContain(`several ${name} headers`);
    expect(rejected).toEqual([`400 The request has several ${name} headers. 127.0.0.1`]);
  });

  test("pages of accepted origins may read responses", async () => {
    const listener = await start();
    const origin = "http://localhost:5173";
    const preflight = await send(listener, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, mcp-method",
      },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-headers": "content-type, mcp-method",
      },
    });
    expect((await send(listener, { message: add, headers: { origin } })).headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": expect.stringContaining("mcp-session-id") as string,
    });
    expect((await send(listener, { message: add })).headers).not.toHaveProperty(
      "access-control-allow-origin",
    );
  });
});

describe("request bodies", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/json ;x=y",
    "application/json; x=y; CHARSET = utf8 ",
  ])("with the type %s are served", async (type) => {
    expect(await send(await start(), { message: add, headers: { "content-type": type } })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    "text/plain",
    "application/jsonp",
    "text/plain;application/json",
    "application/json, text/plain",
    "application/json; charset=utf-16",
    "application/json;x=y;\tcharset = latin1",
    "application/json; charset=utf-80",
    "application/json; charset",
    "",
  ])("with the type %j are rejected with 415", async (type) => {
    expect(await send(await start(), { message: add, headers: { "content-type": type } })).toMatchObject({
      status: 415,
    });
  });

  test("with an encoding are rejected with 415", async () => {
    expect(
      await send(await start(), { message: add, headers: { "content-encoding": "gzip" } }),
    ).toMatchObject({ status: 415 });
  });

  test("in anything but JSON are rejected with 400", async () => {
    const listener = await start();
    const headers = headersFor(add);
    for (const body of [
      "{",
      "",
      "nonsense",
      Buffer.from([0xff, 0xfe]),
      Buffer.from('{"a":"\xff"}', "latin1"),
    ]) {
      const answer = await send(listener, { headers, body });
      expect(answer.status).toBe(400);
      expect(answer.message.error?.code).toBe(-32700);
    }
  });

  test.each([
    ["with its length", true],
    ["in chunks", false],
  ])("over the limit are rejected with 413, sent %s", async (_, hasLength) => {
    const listener = await start({ maxBodyBytes: 10_000 });
    const body = JSON.stringify({ ...add, padding: "x".repeat(2_000_000) });
    const headers: Record<string, string> = {
      ...headersFor(add),
      ...(hasLength ? { "content-length": String(body.length) } : { "transfer-encoding": "chunked" }),
    };
    const answer = await send(listener, { headers, body });
    expect(answer.status).toBe(413);
    expect(await send(listener, { message: add })).toMatchObject({ status: 200 });
  });

  test.each([
    ["with its length", 20, (bytes: number) => `content-length: ${bytes}`],
    [
      "with its length, without the rest",
      20,
      (bytes: number) => `content-length: ${bytes}\r\nconnection: close`,
    ],
    ["in chunks", 20, () => "transfer-encoding: chunked"],
    ["in chunks, without the rest", 20, () => "transfer-encoding: chunked\r\nconnection: close"],
    ["endlessly", 200, () => "transfer-encoding: chunked"],
  ])("far over the limit, %s, lead to a response or a closed connection", async (how, mebibytes, framing) => {
    const listener = await start({ maxBodyBytes: 10_000 });
    const socket = connectSocket(listener.port, "127.0.0.1").on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    // A client that reads the response only after it has sent everything.
    socket.pause();
    const fields = Object.entries(headersFor(add)).map(([name, value]) => `${name}: ${value}\r\n`);
    const mebibyte = " ".repeat(1024 * 1024);
    const head = `${framing(mebibytes * mebibyte.length)}\r\n${fields.join("")}`;
    socket.write(`POST /mcp HTTP/1.1\r\nhost: localhost\r\n${head}\r\n`);
    let sent = 0;
    while (sent < mebibytes && !socket.closed) {
      const text = how.startsWith("with its length") ? mebibyte : `100000\r\n${mebibyte}\r\n`;
      if (!socket.write(text)) {
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
      }
      if (!socket.closed) sent++;
    }
    if (how === "endlessly") return expect(sent).toBeLessThan(mebibytes);
    expect(sent).toBe(mebibytes);
    if (how.startsWith("in chunks")) socket.write("0\r\n\r\n");
    const answered = once(socket.setEncoding("utf8"), "data");
    socket.resume();
    const [answer] = (await answered) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("The body may be at most 10000 bytes.");
    socket.destroy();
  });

  test("leave nothing behind if their client disconnects early", async () => {
    const listener = await start();
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      const socket = connectSocket(listener.port, "127.0.0.1").on("error", () => {});
      await once(socket, "connect");
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a":',
      );
      await new Promise((resolve) => setImmediate(resolve));
      socket[leave]();
      await once(socket, "close");
    }
    expect(await send(listener, { message: add })).toMatchObject({ status: 200 });
    expect(listener.endpoint.pending).toBe(0);
  });

  test("at other paths and with other methods are rejected", async () => {
    const listener = await start();
    expect((await send(listener, { message: add, path: "/" })).status).toBe(404);
    expect((await send(listener, { message: add, path: "/mcp/../admin" })).status).toBe(404);
    expect((await send(listener, { message: add, path: "/mcp?x=1" })).status).toBe(200);
    const whole = { path: "http://localhost/mcp", headers: { host: "localhost" } };
    expect((await send(listener, { message: add, ...whole })).status).toBe(200);
    expect((await send(listener, { message: add, path: "*" })).status).toBe(404);
    for (const method of ["PUT", "PATCH", "TRACE", "HEAD"]) {
      const answer = await send(listener, { method });
      expect([answer.status, answer.headers.allow]).toEqual([405, "GET, POST, DELETE"]);
    }
  });
});

describe("a modern request", () => {
  test("receives JSON, without a session", async () => {
    const answer = await send(await start(), { message: add, headers: { "mcp-session-id": "whatever" } });
    expect(answer).toMatchObject({ status: 200, message: { id: 1, result: { structuredContent: 3 } } });
    expect(answer.headers).not.toHaveProperty("mcp-session-id");
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  test("receives events if its client accepts nothing else, or if another message comes first", async () => {
    const listener = await start();
    const only = await send(listener, { message: add, headers: { accept: "text/event-stream" } });
    expect(only.headers["content-type"]).toBe("text/event-stream");
    expect(only.text).toMatch(/^data: \{"jsonrpc":"2\.0","id":1,"result":.*\}\n\n$/);
    const message = modern(
      "tools/call",
      { name: "countdown", arguments: { steps: 1 } },
      { progressToken: "p" },
    );
    const first = await send(listener, { message });
    expect(first.headers).toMatchObject({ "content-type": "text/event-stream", "x-accel-buffering": "no" });
    expect(first.text.match(/^data: /gm)).toHaveLength(2);
    expect(first.text).not.toContain("id:");
    const jsonOnly = await send(listener, { message, headers: { accept: "application/json" } });
    expect(jsonOnly).toMatchObject({
      headers: { "content-type": "application/json" },
      message: { result: {} },
    });
    expect((await send(listener, { message: add, headers: { accept: "text/html" } })).status).toBe(406);
  });

  test.each([
    ["*/*", 200, "application/json"],
    ["Application/*;q=0.5, image/png", 200, "application/json"],
    ["text/*, application/json;q=0", 200, "text/event-stream"],
    ["*/*;q=0.0", 406, "application/json"],
    ["application/jsonp, text/event-streams", 406, "application/json"],
  ])("from a client that accepts %s receives %i", async (accept, status, type) => {
    const answer = await send(await start(), { message: add, headers: { accept } });
    expect([answer.status, answer.headers["content-type"]]).toEqual([status, type]);
  });

  test.each([
    ["no revision", { "mcp-protocol-version": undefined }, -32020],
    ["another revision", { "mcp-protocol-version": "2025-11-25" }, -32020],
    ["no method", { "mcp-method": undefined }, -32020],
    ["another method", { "mcp-method": "tools/list" }, -32020],
    ["the method in other letters", { "mcp-method": "TOOLS/CALL" }, -32020],
    ["no name", { "mcp-name": undefined }, -32020],
    ["another name", { "mcp-name": "fail" }, -32020],
    ["a malformed name", { "mcp-name": "=?base64?YWRk!?=" }, -32020],
  ])("with %s in its headers is rejected", async (_, change, code) => {
    const headers = Object.fromEntries(
      Object.entries({ ...headersFor(add), ...change }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const answer = await send(await start(), { headers, body: JSON.stringify(add) });
    expect(answer).toMatchObject({ status: 400, message: { id: 1, error: { code } } });
  });

  test("may write its headers in any case, with spaces around, or encoded", async () => {
    const listener = await start();
    const { "mcp-name": _name, "mcp-method": _method, ...rest } = headersFor(add);
    for (const name of ["add", "  add  ", "=?base64?YWRk?="]) {
      const headers = { ...rest, "MCP-NAME": name, "Mcp-METHOD": "tools/call" };
      expect((await send(listener, { headers, body: JSON.stringify(add) })).status).toBe(200);
    }
  });

  test("fails at the first validation step that it violates", async () => {
    const listener = await start();
    const meta = (version: unknown, capabilities: unknown = {}) => ({
      _meta: { [`${META}/protocolVersion`]: version, [`${META}/clientCapabilities`]: capabilities },
    });
    const request = (method: string, params: object): WireMessage => ({
      jsonrpc: "2.0",
      id: 9,
      method,
      params: { ...params },
    });
    const table: [WireMessage, Record<string, string>, number, number][] = [
      [request("server/discover", {}), {}, 400, -32602],
      [request("server/discover", meta(LATEST, null)), {}, 400, -32602],
      [request("tools/list", {}), { "mcp-protocol-version": LATEST }, 400, -32602],
      [request("tools/list", meta("v999.0.0")), { "mcp-protocol-version": LATEST }, 400, -32020],
      [request("tools/list", meta("v999.0.0")), { "mcp-method": "wrong" }, 400, -32022],
      [request("unknown/method", meta(LATEST)), { "mcp-method": "wrong" }, 400, -32020],
      [request("unknown/method", meta(LATEST)), {}, 404, -32601],
      [request("initialize", meta(LATEST)), {}, 404, -32601],
      [request("ping", meta(LATEST)), {}, 404, -32601],
      [request("tools/call", { ...meta(LATEST), name: "nobody" }), {}, 200, -32602],
    ];
    for (const [message, headers, status, code] of table) {
      const answer = await send(listener, { message, headers });
      expect([answer.status, answer.message.error?.code, answer.message.id]).toEqual([status, code, 9]);
    }
  });

  test("has no streams or sessions to get or delete", async () => {
    const listener = await start();
    for (const method of ["GET", "DELETE"]) {
      for (const headers of [
        {},
        { "mcp-protocol-version": LATEST },
        { "mcp-protocol-version": LATEST, "mcp-session-id": "x" },
      ]) {
        const answer = await send(listener, {
          method,
          headers: { accept: "text/event-stream", ...headers } as Record<string, string>,
        });
        expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
      }
    }
  });

  test("without an ID is accepted with 202", async () => {
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const headers = { "mcp-protocol-version": LATEST, "mcp-method": "notifications/cancelled" };
    const answer = await send(await start(), { message, headers });
    expect([answer.status, answer.text]).toEqual([202, ""]);
  });
});

describe("a legacy session", () => {
  test("has an unguessable ID, and ends with DELETE", async () => {
    const listener = await start();
    const ids = await Promise.all(Array.from({ length: 20 }, () => openSession(listener)));
    expect(new Set(ids).size).toBe(20);
    expect(ids[0]).toMatch(/^[\x21-\x7e]{32,}$/);
    const [session = ""] = ids;
    expect(await send(listener, { message: legacy("ping"), session })).toMatchObject({
      status: 200,
      message: { result: {} },
    });
    expect((await send(listener, { method: "DELETE", headers: { "mcp-session-id": session } })).status).toBe(
      204,
    );
    expect((await send(listener, { message: legacy("ping"), session })).status).toBe(404);
    expect((await send(listener, { method: "DELETE", headers: { "mcp-session-id": session } })).status).toBe(
      404,
    );
  });

  test("must be named, and must exist", async () => {
    const listener = await start();
    expect(await send(listener, { message: legacy("tools/list") })).toMatchObject({
      status: 400,
      message: { id: 1 },
    });
    expect((await send(listener, { message: legacy("tools/list"), session: "forged" })).status).toBe(404);
    expect((await send(listener, { message: legacy("tools/list"), session: "__proto__" })).status).toBe(404);
    const headers = { accept: "text/event-stream", "mcp-protocol-version": LATEST_LEGACY };
    expect((await send(listener, { method: "GET", headers })).status).toBe(400);
    expect(
      (await send(listener, { method: "GET", headers: { ...headers, "mcp-session-id": "forged" } })).status,
    ).toBe(404);
  });

  test("is reported as unknown under the ID of a request, and without an ID for a response", async () => {
    const listener = await start();
    const ping = await send(listener, { message: { jsonrpc: "2.0", id: 7, method: "ping" } });
    expect(ping).toMatchObject({ status: 400, message: { id: 7, error: { code: -32600 } } });
    // Its ID is the server's, and the client may wait for a response with the same ID.
    const response = await send(listener, { message: { jsonrpc: "2.0", id: 7, result: {} } });
    expect(response).toMatchObject({ status: 400, message: { error: { code: -32600 } } });
    expect(response.message).not.toHaveProperty("id");
  });

  test("ignores a reply whose ID has another type", async () => {
    const listener = await start();
    const session = await openSession(listener);
    for (const id of [
      { toString: "x" },
      { valueOf: 1, toString: null },
      [{ toString: "x" }],
      null,
      true,
      1.5,
    ]) {
      const reply = { jsonrpc: "2.0", id, result: {} } as never;
      expect((await send(listener, { message: reply, session })).status).toBe(202);
    }
  });

  test("is removed if its handshake fails", async () => {
    const listener = await start();
    const answer = await send(listener, { message: legacy("initialize", { capabilities: {} }) });
    expect(answer.message.error?.code).toBe(-32602);
    expect(answer.headers).not.toHaveProperty("mcp-session-id");
    expect(listener.endpoint.sessions).toBe(0);
  });

  test("keeps the negotiated revision", async () => {
    const listener = await start();
    const session = await openSession(listener, "2024-11-05");
    const answer = await send(listener, {
      message: legacy("tools/call", { name: "add", arguments: { a: 1, b: 2 } }),
      session,
    });
    expect(answer.message.result).toEqual({ content: [{ type: "text", text: "3" }] });
    const sendVersion = (version: string) =>
      send(listener, { message: legacy("ping"), session, headers: { "mcp-protocol-version": version } });
    expect((await sendVersion("2024-11-05")).status).toBe(200);
    expect((await sendVersion("v999")).status).toBe(400);
  });

  test("accepts notifications and responses with 202", async () => {
    const listener = await start();
    const session = await openSession(listener);
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 5, result: {} },
    ]) {
      expect(await send(listener, { message, session })).toMatchObject({ status: 202, text: "" });
    }
  });

  test("continues when a request's client disconnects, and allows cancellation by another request", async () => {
    const listener = await start();
    const session = await openSession(listener);
    const controller = new AbortController();
    const waiting = fetch(listener.url, {
      method: "POST",
      headers: headersFor(legacy(""), session),
      body: JSON.stringify({ ...legacy("tools/call", { name: "wait" }), id: "w" }),
      signal: controller.signal,
    });
    const count = async () =>
      JSON.stringify(
        (await send(listener, { message: legacy("tools/call", { name: "aborted" }), session })).message
          .result,
      );
    await expect.poll(() => listener.endpoint.pending).toBe(1);
    const before = await count();
    controller.abort();
    await expect(waiting).rejects.toThrow();
    expect(await count()).toBe(before);
    await send(listener, {
      message: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "w" } },
      session,
    });
    await expect.poll(count).not.toBe(before);
  });

  test("ends a cancelled request's response without a result", async () => {
    const listener = await start();
    const session = await openSession(listener);
    const waiting = send(listener, {
      message: { ...legacy("tools/call", { name: "never" }), id: "w" },
      session,
    });
    const cancel: WireMessage = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "w" },
    };
    const cancelled = expect.poll(async () => {
      await send(listener, { message: cancel, session });
      return Promise.race([waiting, "waiting"]);
    });
    await cancelled.toMatchObject({ status: 200, text: expect.stringMatching(/^id: \d+-0\ndata: \n\n$/) });
  });

  test("has one standalone stream, which ends with it", async () => {
    const listener = await start();
    const session = await openSession(listener);
    const headers = { accept: "text/event-stream", "mcp-session-id": session };
    const first = await fetch(listener.url, { headers });
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const second = await fetch(listener.url, { headers });
    await readEvents(first, () => {});
    await fetch(listener.url, { method: "DELETE", headers });
    await readEvents(second, () => {});
    expect(
      (await send(listener, { method: "GET", headers: { ...headers, accept: "application/json" } })).status,
    ).toBe(404);
  });

  test("stays open while it is used", async () => {
    const listener = await start({ maxSessions: 3 });
    const [first = "", second = "", third = ""] = [
      await openSession(listener),
      await openSession(listener),
      await openSession(listener),
    ];
    const status = async (session: string) =>
      (await send(listener, { message: legacy("ping"), session })).status;
    expect(await status(first)).toBe(200);
    await openSession(listener);
    await openSession(listener);
    expect(await Promise.all([second, third, first].map(status))).toEqual([404, 404, 200]);
  });

  test("is ended for a new session if it is idle", async () => {
    const listener = await start({ maxSessions: 3 });
    const [oldest = "", ...others] = [
      await openSession(listener),
      await openSession(listener),
      await openSession(listener),
    ];
    const status = async (session: string) =>
      (await send(listener, { message: legacy("ping"), session })).status;
    const newest = await openSession(listener);
    expect(listener.endpoint.sessions).toBe(3);
    expect(await status(oldest)).toBe(404);
    for (const session of [...others, newest]) expect(await status(session)).toBe(200);
  });

  test("is not ended for a new session while it is in use", async () => {
    const listener = await start({ maxSessions: 1 });
    const session = await openSession(listener);
    const stream = await fetch(listener.url, {
      headers: { accept: "text/event-stream", "mcp-session-id": session },
    });
    const answer = await send(listener, {
      message: legacy("initialize", { protocolVersion: LATEST_LEGACY, capabilities: {} }),
    });
    expect(answer.status).toBe(503);
    await stream.body?.cancel();
  });

  test("ends by itself if it is unused", async () => {
    const listener = await start({ sessionIdleTimeoutMs: 20 });
    await openSession(listener);
    await expect.poll(() => listener.endpoint.sessions).toBe(0);
  });
});

describe("concurrent clients", () => {
  test("receive their own responses, whatever their IDs", async () => {
    const listener = await start();
    const sessions = await Promise.all(Array.from({ length: 100 }, () => openSession(listener)));
    const answers = await Promise.all(
      [...sessions, ...sessions.map(() => undefined)].map((session, index) => {
        const book = { name: "book", arguments: { city: `token-${index}`, days: 1 } };
        // All under one and the same id.
        if (session === undefined) return send(listener, { message: modern("tools/call", book) });
        return send(listener, { message: legacy("tools/call", book), session });
      }),
    );
    for (const [index, answer] of answers.entries()) expect(answer.text).toContain(`in token-${index}.`);
  });
});

describe("the listener", () => {
  test("reports that its port is in use", async () => {
    const { port } = await start();
    await expect(listen(quietServer(createFixture()), { port })).rejects.toMatchObject({
      name: "ListenError",
      code: "EADDRINUSE",
      message: `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another with --port.`,
    });
  });

  test("finishes calls in progress before it closes", async () => {
    const listener = await start({ drainTimeoutMs: 5000 });
    listeners.length = 0;
    const answer = send(listener, { message: modern("tools/call", { name: "hold" }) });
    await expect.poll(heldCalls).toBe(1);
    const closing = listener.close();
    release();
    await closing;
    expect((await answer).message.result).toMatchObject({ content: [{ text: "Let go." }] });
  });

  test("aborts handlers that do not return, and waits for the others", async () => {
    const listener = await start();
    const session = await openSession(listener);
    const legacyNever = { jsonrpc: "2.0", id: 8, method: "tools/call", params: { name: "never" } };
    const answers = [
      send(listener, { message: modern("tools/call", { name: "wait" }) }),
      send(listener, { message: modern("tools/call", { name: "never" }) }),
      send(listener, { message: legacyNever, session }),
    ];
    await expect.poll(() => listener.endpoint.pending).toBe(3);
    await listener.close();
    const [stopped, givenUp, inSession] = await Promise.all(answers);
    expect(stopped?.message.result).toMatchObject({
      content: [{ text: 'The tool "wait" was stopped. The server is shutting down.' }],
    });
    // Clients do not read the error in a response whose status is an error.
    expect(givenUp).toMatchObject({ status: 200, message: { id: 1, error: { code: -32603 } } });
    expect(inSession).toMatchObject({ status: 200, message: { id: 8, error: { code: -32603 } } });
  });

  test("disconnects a client that does not read its stream", async () => {
    const listener = await start({ maxStreamBufferBytes: 1000 });
    const message = modern(
      "tools/call",
      { name: "countdown", arguments: { steps: 100_000 } },
      { progressToken: "p" },
    );
    const socket = connectSocket(listener.port, "127.0.0.1");
    socket.pause();
    const body = JSON.stringify(message);
    const head = Object.entries(headersFor(message)).map(([name, value]) => `${name}: ${value}`);
    socket.write(
      ["POST /mcp HTTP/1.1", "Host: localhost", ...head, `Content-Length: ${body.length}`, "", body].join(
        "\r\n",
      ),
    );
    const closed = once(socket, "close");
    socket.on("error", () => {});
    await expect.poll(() => listener.endpoint.pending).toBe(0);
    socket.resume();
    await closed;
  });
});

describe("the web handler", () => {
  test("rejects foreign hosts unless they are allowed", async () => {
    const request = () =>
      new Request("https://mcp.example.com/mcp", {
        method: "POST",
        headers: headersFor(add),
        body: JSON.stringify(add),
      });
    const strict = createHttpHandler(quietServer(createFixture()));
    expect((await strict(request())).status).toBe(403);
    const open = createHttpHandler(quietServer(createFixture()), { allowedHosts: ["mcp.example.com"] });
    expect((await open(request())).status).toBe(200);
    const configured = createHttpHandler(
      quietServer(createFixture({ http: { allowedHosts: ["mcp.example.com"] } })),
    );
    expect((await configured(request())).status).toBe(200);
  });

  test.each([
    [{ allowedHosts: ["https://mcp.example.com"] }, "allowedHosts[0] must be a host"],
    [{ allowedHosts: [""] }, "allowedHosts[0] must be a host"],
    [{ allowedHosts: "mcp.example.com" }, "allowedHosts must be a list of hosts"],
    [{ allowedOrigins: ["app.example.com"] }, "allowedOrigins[0] must be an origin"],
    [{ allowedOrigins: ["https://app.example.com/"] }, "allowedOrigins[0] must be an origin"],
    [{ trustedProxies: "loopback" }, "trustedProxies must be a list of strings"],
    [{ trustedProxies: ["10.0.0.0/33"] }, 'trustedProxies: "10.0.0.0/33" is not an IP address'],
    [{ path: "mcp" }, 'path must be a path such as "/mcp" (got "mcp")'],
    [{ pth: "/mcp" }, "pth is not an option. Remove it, or use one of: "],
  ])("rejects invalid options: %j", async (options, message) => {
    const server = quietServer(createFixture());
    for (const create of [createHttpHandler, createNodeHandler, createSseHandler])
      expect(() => create(server, options as never)).toThrow(message);
    await expect(listen(server, options as never)).rejects.toThrow(message);
  });

  test("rejects options of another function", async () => {
    const server = quietServer(createFixture());
    const notAnOption = (name: string): string => `${name} is not an option.`;
    expect(() => createHttpHandler(server, { sse: true } as never)).toThrow(notAnOption("sse"));
    expect(() => createSseHandler(server, { port: 1 } as never)).toThrow(notAnOption("port"));
    expect(() => createNodeHandler(server, { address: () => "" } as never)).toThrow(notAnOption("address"));
    await expect(listen(server, { address: () => "" } as never)).rejects.toThrow(notAnOption("address"));
    expect(() => createNodeHandler(server, { sse: "yes" } as never)).toThrow("sse must be true or false");
    expect(() => createHttpHandler(server, { address: "a" } as never)).toThrow("address must be a function");
    await expect(listen(server, { port: -1 })).rejects.toThrow("port must be a whole number");
  });

  test("responds with a reference if serving a request fails", async () => {
    const reports: Parameters<Server["onInternalError"]>[0][] = [];
    const server = quietServer(createFixture(), { onInternalError: (report) => void reports.push(report) });
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: headersFor(add),
      body: "{}",
    });
    const failing = {
      get: (name: string) => {
        if (name === "accept") throw new Error("The platform failed.");
        return request.headers.get(name);
      },
    };
    const response = await createHttpHandler(server)(
      new Proxy(request, {
        get: (target, name) => {
          const value: unknown = name === "headers" ? failing : Reflect.get(target, name, target);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      }),
    );
    expect(response.status).toBe(500);
    const [report] = reports;
    expect(report?.error).toEqual(new Error("The platform failed."));
    expect(await response.json()).toMatchObject({
      error: {
        code: -32603,
        message: `The request failed because of an internal error (reference ${report?.reference}).`,
      },
    });
  });

  test("rejects a body above the limit before all of it is read", async () => {
    const handle = createHttpHandler(quietServer(createFixture({ limits: { maxBodyBytes: 1000 } })));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1000;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const init = { method: "POST", headers: headersFor(add), body, duplex: "half" } as RequestInit;
    expect((await handle(new Request("http://localhost/mcp", init))).status).toBe(413);
    expect(sent).toBeLessThan(10_000);
  });

  test("aborts a handler whose client disconnected", async () => {
    const server = quietServer(createFixture());
    const handle = createHttpHandler(server);
    const post = (message: WireMessage, signal?: AbortSignal) =>
      handle(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: headersFor(message),
          body: JSON.stringify(message),
          ...(signal && { signal }),
        }),
      );
    const controller = new AbortController();
    void post(modern("tools/call", { name: "wait" }), controller.signal);
    const count = async () =>
      ((await (await post(modern("tools/call", { name: "aborted" }))).json()) as WireMessage).result?.[
        "structuredContent"
      ];
    await expect.poll(count).toBe(0);
    controller.abort();
    await expect.poll(count).toBe(1);
  });
});
