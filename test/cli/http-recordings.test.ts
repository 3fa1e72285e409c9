/** Sessions over HTTP are recorded so that each response belongs to its request, and no secret is in the file. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
// Internal: the proxy of `dev --record` alone, in front of a server whose responses arrive in any order.
import { createHttpProxy, type HttpProxy } from "../../packages/cli/src/dev/proxy/http-proxy.js";
import { parseRecording } from "../../packages/cli/src/recording/format.js";
import { createRecorder, type Recorder } from "../../packages/cli/src/recording/recorder.js";
import { readSession } from "../../packages/cli/src/recording/session.js";

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "backend", version: "1.0.0" },
};

interface Message {
  id?: number;
  method?: string;
  params?: { arguments?: { name?: string }; [name: string]: unknown };
}

let folder: string;
let backend: Server;
let proxy: HttpProxy;
let recorder: Recorder;
/** The requests that have no response yet, by the name in their arguments. */
const waiting = new Map<string, { reply: ServerResponse; id: number | undefined }>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-recordings-"));
  let opened = 0;
  backend = createServer((incoming, reply) => {
    let body = "";
    incoming.on("data", (chunk) => (body += String(chunk)));
    incoming.on("end", () => {
      const { id, method, params } = JSON.parse(body) as Message;
      if (method === "initialize") {
        opened += 1;
        reply.writeHead(200, { "content-type": "application/json", "mcp-session-id": `session-${opened}` });
        reply.end(JSON.stringify({ jsonrpc: "2.0", id, result: INITIALIZED }));
      } else waiting.set(params?.arguments?.name ?? "", { reply, id });
    });
  }).listen(0, "127.0.0.1");
  await once(backend, "listening");
  const onError = (error: unknown): void => {
    throw error;
  };
  const env = { DB_PASSWORD: "pw" };
  recorder = createRecorder({
    folder,
    project: "p",
    transport: "http",
    env,
    onFile: () => undefined,
    onError,
  });
  proxy = await createHttpProxy(0, recorder.traffic);
  proxy.swap({ port: (backend.address() as AddressInfo).port }, []);
});
afterEach(async () => {
  backend.closeAllConnections();
  backend.close();
  await proxy.close();
  rmSync(folder, { recursive: true });
  waiting.clear();
});

function post(message: Message, headers: Record<string, string> = {}): Promise<Response> {
  const type = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(`http://127.0.0.1:${proxy.port}/mcp`, {
    method: "POST",
    headers: { ...type, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

/** Sends a tool call, and returns when it has arrived. The returned function responds, and waits for the client. */
async function call(
  id: number,
  name: string,
  isModern: boolean,
  headers?: Record<string, string>,
): Promise<(text?: string) => Promise<void>> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "twin", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "greet", arguments: { name }, ...(isModern && { _meta }) };
  const response = post({ id, method: "tools/call", params }, headers);
  await expect.poll(() => waiting.has(name)).toBe(true);
  return async (text = `Hello, ${name}`) => {
    const { reply } = waiting.get(name) ?? {};
    waiting.delete(name);
    reply?.setHeader("content-type", "application/json");
    const content = [{ type: "text", text }];
    const result = { content, ...(isModern && { resultType: "complete" }) };
    reply?.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    await (await response).text();
  };
}

/** Returns the recorded sessions, with the name in each call and the text of its response. */
function readCalls(): string[][] {
  return recorder.close().map(({ path }) => {
    const { exchanges } = readSession(parseRecording(readFileSync(path, "utf8"), path).messages);
    const calls = exchanges.filter(({ method }) => method === "tools/call");
    return calls.map(({ params, answer }) => {
      const { name } = params["arguments"] as { name: string };
      const content = (answer?.result?.["content"] ?? []) as { text: string }[];
      return `${name}: ${content.map(({ text }) => text).join()}`;
    });
  });
}

test("calls of two clients with one name are in two recordings if they have the same ID at the same time", async () => {
  const respondAda = await call(1, "Ada", true);
  const respondBob = await call(1, "Bob", true);
  await respondAda();
  await respondBob();
  const respondEve = await call(1, "Eve", true);
  await respondEve();
  expect(readCalls()).toEqual([["Ada: Hello, Ada", "Eve: Hello, Eve"], ["Bob: Hello, Bob"]]);
});

test("calls of one client are in one recording, in whichever order their responses arrive", async () => {
  const respondAda = await call(1, "Ada", true);
  const respondBob = await call(2, "Bob", true);
  await respondBob();
  await respondAda();
  expect(readCalls()).toEqual([["Ada: Hello, Ada", "Bob: Hello, Bob"]]);
});

test("a client can reuse the ID of a request that it has cancelled", async () => {
  const controller = new AbortController();
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "twin" },
  };
  const cancelled = fetch(`http://127.0.0.1:${proxy.port}/mcp`, {
    method: "POST",
    signal: controller.signal,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { arguments: { name: "Ada" }, _meta: meta },
    }),
  });
  await expect.poll(() => waiting.has("Ada")).toBe(true);
  const closed = once(waiting.get("Ada")?.reply ?? backend, "close");
  controller.abort();
  await expect(cancelled).rejects.toThrow();
  await closed;
  await (
    await call(1, "Bob", true)
  )();
  expect(readCalls()).toEqual([["Ada: ", "Bob: Hello, Bob"]]);
});

test("legacy sessions are in separate recordings, even if their IDs are the same", async () => {
  const sessions: string[] = [];
  for (let count = 0; count < 2; count++) {
    const opened = await post({
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "a", version: "1.0.0" },
      },
    });
    sessions.push(opened.headers.get("mcp-session-id") ?? "");
    await opened.text();
  }
  const [first = "", second = ""] = sessions;
  const respondAda = await call(1, "Ada", false, { "mcp-session-id": first });
  const respondBob = await call(1, "Bob", false, { "mcp-session-id": second });
  await respondBob();
  await respondAda();
  expect(readCalls()).toEqual([["Ada: Hello, Ada"], ["Bob: Hello, Bob"]]);
});

test("secrets of any length in headers and the environment are in no recording", async () => {
  const headers = {
    authorization: "Bearer k9",
    "x-api-key": "zq",
    "x-session": "of ada",
    cookie: "id=j8; theme=dark",
  };
  const respond = await call(1, "Ada", true, headers);
  await respond("k9 and zq in j8, pw!");
  const [{ path } = { path: "" }] = recorder.close();
  const [, ...lines] = readFileSync(path, "utf8").split("\n");
  expect(lines.join("\n")).not.toMatch(/\b(?:k9|zq|j8|pw|dark|of ada)\b/);
  expect(lines[1]).toContain('"text":"(secret 2) and (secret 3) in ');
});
