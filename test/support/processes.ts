/**
 * Simulated processes that serve the same clients, for tests that need no separate processes: each has a server and
 * its own handler.
 */
import type { Caller, LogEntry, ServerConfig } from "@tenon/runtime";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { type Application, createServer } from "@tenon/runtime/server";
import { expect } from "vitest";
import { createNotebook } from "../runtime/fixture/notebook.js";
import { LATEST_LEGACY } from "./describe-transports.js";

/** A process among those that serve the same clients. */
export interface Process {
  handle: HttpHandler;
  log: LogEntry[];
  /** Callers of its handlers. */
  callers: Caller[];
  stop(): Promise<void>;
}

export interface ProcessOptions {
  stateKeys?: string;
  /** Creates the application. Default: a notebook. */
  create?: (config: ServerConfig) => Application;
}

/** Starts a simulated process, which shares no memory with others. */
export function startProcess(
  config: ServerConfig = {},
  { stateKeys = "", create = createNotebook }: ProcessOptions = {},
): Process {
  const log: LogEntry[] = [];
  const callers: Caller[] = [];
  const use: ServerConfig["use"] = [
    (call, next) => {
      callers.push({ ...call, session: call.session, client: call.client });
      return next();
    },
  ];
  const application = create({ log: (entry) => log.push(entry), use, ...config });
  const server = createServer(application, { stateKeys });
  const handle = createHttpHandler(server);
  const stop = async (): Promise<void> => {
    await handle.close();
    await server.close();
  };
  return { handle, log, callers, stop };
}

export const warnings = ({ log }: Process): string[] =>
  log.flatMap(({ level, msg }) => (level === "warn" ? msg : []));

/** Sends each request to the next process, like a proxy that ignores sessions. */
export function roundRobin(processes: readonly Process[]): typeof fetch {
  let count = 0;
  return (url, init) =>
    (processes[count++ % processes.length] as Process).handle(new Request(url as URL, init));
}

export interface SentRequest {
  verb?: string;
  session?: string | undefined;
  headers?: Record<string, string>;
}

let nextId = 1;

/** Sends one message of a client, with or without a session. */
export function send(
  { handle }: Process,
  method: string,
  params: object = {},
  { verb = "POST", session, headers }: SentRequest = {},
): Promise<Response> {
  const message = method.startsWith("notifications/")
    ? { jsonrpc: "2.0", method, params }
    : { jsonrpc: "2.0", id: nextId++, method, params };
  return handle(
    new Request("http://localhost/mcp", {
      method: verb,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session === undefined ? {} : { "mcp-session-id": session }),
        ...headers,
      },
      ...(verb === "POST" && { body: JSON.stringify(message) }),
    }),
  );
}

export const clientInfo = { name: "test", version: "1" };

/** Opens a legacy session, and returns its ID. */
export async function open(
  process: Process,
  { revision = LATEST_LEGACY, capabilities = {}, info = clientInfo as object } = {},
  headers?: Record<string, string>,
): Promise<string> {
  const params = { protocolVersion: revision, capabilities, clientInfo: info };
  const response = await send(process, "initialize", params, headers && { headers });
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

export const call = { name: "write", arguments: { id: "1", text: "Two" } };

/** Checks whether a session exists, with a call that changes only the data in the store. */
export async function isServed(process: Process, session: string, headers = {}): Promise<boolean> {
  const response = await send(process, "tools/call", call, { session, headers });
  await response.text();
  if (response.status !== 200) expect(response.status).toBe(404);
  return response.status === 200;
}
