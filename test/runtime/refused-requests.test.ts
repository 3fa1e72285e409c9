import type { LogEntry, Observer, RefusedRequest, ServerConfig } from "@tenon/runtime";
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

/** @param auth how callers show who they are; `null` for a server that asks nobody */
function start({
  auth = apiKeys({ [KEY]: "ada" }),
  ...config
}: Omit<ServerConfig, "auth"> & { auth?: ServerConfig["auth"] | null } = {}) {
  const entries: LogEntry[] = [];
  const refused: RefusedRequest[] = [];
  const calls: string[] = [];
  const observer: Observer = {
    observe: ({ method }) => void calls.push(method),
    refused: (request) => refused.push(request),
  };
  const handle = createHttpHandler(
    createServer(
      createFixture({
        ...(auth && { auth }),
        log: (entry) => void entries.push(entry),
        limits: { bodyBytes: 1000 },
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
  return { entries, refused, calls, handle, post };
}

/** What is sent, and what observers are told of it. */
const REFUSED: [string, string, Record<string, string>, { status: number; reason: RegExp; who?: string }][] =
  [
    [
      "a wrong key",
      PING,
      { authorization: "Bearer wrong-key-0123456789" },
      { status: 401, reason: /not known/ },
    ],
    ["a foreign Host", PING, { ...AUTH, host: "evil.example" }, { status: 403, reason: /evil\.example/ }],
    [
      "a foreign Origin",
      PING,
      { ...AUTH, origin: "https://evil.example" },
      { status: 403, reason: /Origin/ },
    ],
    ["no JSON", "{", AUTH, { status: 400, reason: /not valid JSON/, who: "ada" }],
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

describe("observers are told of a request that is refused", () => {
  test.each(REFUSED)("for %s", async (_, body, headers, { status, reason, who }) => {
    const { entries, refused, calls, post } = start();
    expect((await post(body, headers)).status).toBe(status);
    expect(refused).toMatchObject([
      { status, reason: expect.stringMatching(reason) as string, address: "203.0.113.7" },
    ]);
    expect(refused[0]?.principal?.subject).toBe(who);
    expect(entries).toMatchObject([{ event: "refused", status }]);
    expect(calls).toEqual([]);
  });

  test("for what is no message, once the session is known", async () => {
    const { refused, post } = start();
    const session = (await post(INITIALIZE, AUTH)).headers.get("mcp-session-id") ?? "";
    const answer = await post('{"jsonrpc":"2.0","id":1}', { ...AUTH, "mcp-session-id": session });
    expect(answer.status).toBe(400);
    expect(refused).toMatchObject([{ status: 400, principal: { subject: "ada" } }]);
  });

  test("for a session too many", async () => {
    const { refused, post } = start({ limits: { sessions: 1 }, auth: null });
    const session = (await post(INITIALIZE, {})).headers.get("mcp-session-id") ?? "";
    const ask = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait", arguments: {} } };
    void post(JSON.stringify(ask), { "mcp-session-id": session });
    expect((await post(INITIALIZE, {})).status).toBe(503);
    expect(refused).toMatchObject([{ status: 503, reason: "Too many sessions are open." }]);
  });
});

describe("observers are not told as of a refused request", () => {
  test.each([
    ["of one without credentials, as every client begins", PING, {}, 401],
    [
      "of another revision, which is how clients ask for those that there are",
      ADD.replace("2026-07-28", "2099-01-01"),
      { ...ADD_HEADERS, "mcp-name": "add", "mcp-protocol-version": "2099-01-01" },
      400,
    ],
    ["of a session that has ended", PING, { ...AUTH, "mcp-session-id": "gone" }, 404],
  ])("%s", async (_, body, headers, status) => {
    const { refused, entries, post } = start();
    expect((await post(body, headers as Record<string, string>)).status).toBe(status);
    expect({ refused, entries }).toEqual({ refused: [], entries: [] });
  });

  test("of a call, which they observe", async () => {
    const { refused, calls, entries, post } = start({ rateLimit: { calls: 1, windowMs: 60_000 } });
    await post(ADD, { ...ADD_HEADERS, "mcp-name": "add" });
    expect((await post(ADD, { ...ADD_HEADERS, "mcp-name": "add" })).status).toBe(429);
    expect(calls).toEqual(["tools/call", "tools/call"]);
    expect(entries).toMatchObject([{ event: "refused", status: 429, subject: "ada" }]);
    expect(refused).toEqual([]);
  });
});

test("sixty refused requests a minute are told, then the number of the others", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
  const { refused, post } = start();
  for (let index = 0; index < 100; index++) await post("{", AUTH);
  expect(refused).toHaveLength(60);
  vi.setSystemTime(120_000);
  await post("{", AUTH);
  await post("{", AUTH);
  expect(refused.slice(60).map(({ more }) => more)).toEqual([40, undefined]);
});

test("all of them are counted", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
  const meter = metrics();
  const { post } = start({ observe: [meter] });
  for (let index = 0; index < 100; index++) await post("{", AUTH);
  vi.setSystemTime(120_000);
  await post(PING, { ...AUTH, host: "evil.example" });
  const counted = meter.text().match(/^mcp_server_refused_requests_total.*$/gm);
  const series = (status: string, count: number) =>
    `mcp_server_refused_requests_total{status="${status}"} ${count}`;
  expect(counted).toEqual([series("400", 60), series("403", 1), series("other", 40)]);
});

test("what an observer throws is logged, and changes no answer", async () => {
  const refused = (): never => {
    throw new Error("The disk is full.");
  };
  const { entries, post } = start({ observe: [{ observe: () => undefined, refused }] });
  expect((await post("{", AUTH)).status).toBe(400);
  expect(entries).toMatchObject([{ event: "refused" }, { event: "internal-error", subject: "observer" }]);
});

test("an audit with a log of its own has a line for it, and one without leaves it to the log", async () => {
  const lines: LogEntry[] = [];
  const { entries, post } = start({ observe: [audit(), audit({ log: (entry) => void lines.push(entry) })] });
  await post("{", AUTH);
  expect(lines).toMatchObject([
    { level: "info", event: "refused", status: 400, subject: "ada", address: "203.0.113.7" },
  ]);
  expect(entries).toMatchObject([{ level: "warn", event: "refused", status: 400 }]);
});
