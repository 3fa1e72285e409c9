import type { LogEntry, Observer, RejectedRequest, ServerConfig } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { audit } from "@tenon/runtime/log";
import { metrics } from "@tenon/runtime/metrics";
import { createServer } from "@tenon/runtime/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createFixture } from "./fixture/application.js";

afterEach(() => {
  vi.useRealTimers();
});

const KEY = "a-key-of-ada-0123456789";
const AUTH = { authorization: `Bearer ${KEY}` };
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ADD = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "add", arguments: { a: 1, b: 2 }, _meta: MODERN },
});
const ADD_HEADERS = { ...AUTH, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
});

/** @param auth how callers authenticate; `null` for a server without authentication */
function start({
  auth = apiKeys({ [KEY]: "ada" }),
  ...config
}: Omit<ServerConfig, "auth"> & { auth?: ServerConfig["auth"] | null } = {}) {
  const entries: LogEntry[] = [];
  const rejected: RejectedRequest[] = [];
  const calls: string[] = [];
  const observer: Observer = {
    observe: ({ method }) => void calls.push(method),
    requestRejected: (request) => rejected.push(request),
  };
  const handle = createHttpHandler(
    createServer(
      createFixture({
        ...(auth && { auth }),
        log: (entry) => void entries.push(entry),
        limits: { maxBodyBytes: 1000 },
        observe: [observer],
        ...config,
      }),
    ),
    { address: () => "203.0.113.7" },
  );
  const post = async (body: string, headers: Record<string, string>): Promise<Response> =>
    handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
    );
  return { entries, rejected, calls, handle, post };
}

/** Requests, and the report that observers receive. */
const REJECTED: [string, string, Record<string, string>, { status: number; reason: RegExp; who?: string }][] =
  [
    [
      "a wrong key",
      PING,
      { authorization: "Bearer wrong-key-0123456789" },
      { status: 401, reason: /API key is unknown/ },
    ],
    ["a foreign Host", PING, { ...AUTH, host: "evil.example" }, { status: 403, reason: /evil\.example/ }],
    [
      "a foreign Origin",
      PING,
      { ...AUTH, origin: "https://evil.example" },
      { status: 403, reason: /Origin/ },
    ],
    ["a body that is not JSON", "{", AUTH, { status: 400, reason: /not valid JSON/, who: "ada" }],
    [
      "another type",
      PING,
      { ...AUTH, "content-type": "text/plain" },
      { status: 415, reason: /type/i, who: "ada" },
    ],
    ["too large a body", " ".repeat(1001), AUTH, { status: 413, reason: /1000 bytes/, who: "ada" }],
    [
      "headers that disagree",
      ADD,
      { ...ADD_HEADERS, "mcp-name": "other" },
      { status: 400, reason: /Mcp-Name/i, who: "ada" },
    ],
  ];

describe("observers receive a rejected request", () => {
  test.each(REJECTED)("for %s", async (_, body, headers, { status, reason, who }) => {
    const { entries, rejected, calls, post } = start();
    expect((await post(body, headers)).status).toBe(status);
    expect(rejected).toMatchObject([
      { status, reason: expect.stringMatching(reason) as string, address: "203.0.113.7" },
    ]);
    expect(rejected[0]?.principal?.subject).toBe(who);
    expect(entries).toMatchObject([{ event: "rejected", status }]);
    expect(calls).toEqual([]);
  });

  test("for a malformed message, with the session if it is known", async () => {
    const { rejected, post } = start();
    const session = (await post(INITIALIZE, AUTH)).headers.get("mcp-session-id") ?? "";
    const answer = await post('{"jsonrpc":"2.0","id":1}', { ...AUTH, "mcp-session-id": session });
    expect(answer.status).toBe(400);
    expect(rejected).toMatchObject([{ status: 400, principal: { subject: "ada" } }]);
  });

  test("for a session beyond the limit", async () => {
    const { rejected, post } = start({ limits: { maxSessions: 1 }, auth: null });
    const session = (await post(INITIALIZE, {})).headers.get("mcp-session-id") ?? "";
    const ask = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait", arguments: {} } };
    void post(JSON.stringify(ask), { "mcp-session-id": session });
    expect((await post(INITIALIZE, {})).status).toBe(503);
    expect(rejected).toMatchObject([
      { status: 503, reason: "Too many sessions are open. Close unused sessions, or retry in 60 seconds." },
    ]);
  });
});

describe("observers receive no rejected request for", () => {
  test.each([
    ["the first request of a client without credentials", PING, {}, 401],
    [
      "a request of an unknown revision, with which clients discover the supported ones",
      ADD.replace("2026-07-28", "2099-01-01"),
      { ...ADD_HEADERS, "mcp-name": "add", "mcp-protocol-version": "2099-01-01" },
      400,
    ],
    ["a session that has ended", PING, { ...AUTH, "mcp-session-id": "gone" }, 404],
  ])("%s", async (_, body, headers, status) => {
    const { rejected, entries, post } = start();
    expect((await post(body, headers as Record<string, string>)).status).toBe(status);
    expect({ rejected, entries }).toEqual({ rejected: [], entries: [] });
  });

  test("a call, which they observe", async () => {
    const { rejected, calls, entries, post } = start({ rateLimit: { calls: 1, windowMs: 60_000 } });
    await post(ADD, { ...ADD_HEADERS, "mcp-name": "add" });
    expect((await post(ADD, { ...ADD_HEADERS, "mcp-name": "add" })).status).toBe(429);
    expect(calls).toEqual(["tools/call", "tools/call"]);
    expect(entries).toMatchObject([{ event: "rejected", status: 429, subject: "ada" }]);
    expect(rejected).toEqual([]);
  });
});

test("sixty rejected requests a minute are reported, then the number of the others", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
  const { rejected, post } = start();
  for (let index = 0; index < 100; index++) await post("{", AUTH);
  expect(rejected).toHaveLength(60);
  vi.setSystemTime(120_000);
  await post("{", AUTH);
  await post("{", AUTH);
  expect(rejected.slice(60).map(({ suppressedCount }) => suppressedCount)).toEqual([40, undefined]);
});

test("metrics count all rejected requests", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
  const meter = metrics();
  const { post } = start({ observe: [meter] });
  for (let index = 0; index < 100; index++) await post("{", AUTH);
  vi.setSystemTime(120_000);
  await post(PING, { ...AUTH, host: "evil.example" });
  const counted = meter.text().match(/^mcp_server_rejected_requests_total.*$/gm);
  const series = (status: string, count: number) =>
    `mcp_server_rejected_requests_total{status="${status}"} ${count}`;
  expect(counted).toEqual([series("400", 60), series("403", 1), series("other", 40)]);
});

test("an observer's error is logged without changing the response", async () => {
  const throwError = (): never => {
    throw new Error("The disk is full.");
  };
  const { entries, post } = start({ observe: [{ observe: () => undefined, requestRejected: throwError }] });
  expect((await post("{", AUTH)).status).toBe(400);
  expect(entries).toMatchObject([{ event: "rejected" }, { event: "internal-error", subject: "observer" }]);
});

test("an audit with its own log writes a line for a rejected request, which is otherwise in the server's log", async () => {
  const lines: LogEntry[] = [];
  const { entries, post } = start({ observe: [audit(), audit({ log: (entry) => void lines.push(entry) })] });
  await post("{", AUTH);
  expect(lines).toMatchObject([
    { level: "info", event: "rejected", status: 400, subject: "ada", address: "203.0.113.7" },
  ]);
  expect(entries).toMatchObject([{ level: "warn", event: "rejected", status: 400 }]);
});
