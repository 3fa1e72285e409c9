import type { IncomingHttpHeaders } from "node:http";
import { createParser } from "eventsource-parser";
import type { TrafficObserver } from "./traffic.js";

/** Receives the parts of one HTTP request and its response, and reports their JSON-RPC messages. */
export interface HttpExchange {
  /** Receives the headers of the response. */
  receiveHeaders(headers: { readonly [name: string]: unknown }): void;
  /** Receives a part of the response body. */
  receiveBody(chunk: Buffer): void;
  /** Reports the end of the response. */
  end(): void;
  /** Receives a message that the proxy itself sends to the client. */
  receiveOwnMessage(message: object): void;
  /** Reports that the client disconnected before the end of the response. Since 2026-07-28, that cancels its request. */
  disconnect(): void;
}

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/**
 * Starts observing an exchange.
 *
 * @param body the body of the request: a message, a batch, or nothing for a stream
 */
export type ObserveExchange = (headers: IncomingHttpHeaders, body: Buffer) => HttpExchange;

/** Creates the function that observes exchanges and reports their messages. */
export function createExchangeObserver(traffic: TrafficObserver): ObserveExchange {
  const inFlight = new Map<string, Set<string>>();
  /** Chooses a session for a client without one. Two clients may have the same name, and use the same request ID. */
  const chooseSession = (client: string, ids: readonly string[]): string => {
    for (let count = 1; ; count++) {
      const session = count === 1 ? client : `${client} (${count})`;
      const used = inFlight.get(session) ?? new Set();
      if (ids.some((id) => used.has(id))) continue;
      inFlight.set(session, new Set([...used, ...ids]));
      return session;
    }
  };
  const release = (session: string, ids: readonly string[]): void => {
    for (const id of ids) inFlight.get(session)?.delete(id);
  };
  return (headers, body) => {
    const messages = parseMessages(body.toString("utf8"));
    const session = toHeaderText(headers["mcp-session-id"]);
    const client = session === undefined ? findModernClient(messages) : undefined;
    if (client === undefined) return observeExchange(traffic, headers, messages, session);
    const ids = messages.flatMap((each) => ("id" in each ? [JSON.stringify(each.id)] : []));
    const chosen = chooseSession(client, ids);
    const exchange = observeExchange(traffic, headers, messages, chosen);
    return {
      ...exchange,
      end() {
        exchange.end();
        release(chosen, ids);
      },
      receiveOwnMessage(message) {
        exchange.receiveOwnMessage(message);
        release(chosen, ids);
      },
      disconnect() {
        exchange.disconnect();
        release(chosen, ids);
      },
    };
  };
}

function observeExchange(
  traffic: TrafficObserver,
  headers: IncomingHttpHeaders,
  messages: object[],
  knownSession: string | undefined,
): HttpExchange {
  const at = performance.now();
  let session = knownSession;
  let reader: { chunk(text: string): void; end(): void } | undefined;
  const ids = isModern(messages) ? messages.flatMap((each) => ("id" in each ? [each.id] : [])) : [];
  const decoder = new TextDecoder();
  const reportServerMessage = (message: unknown): void =>
    traffic({ from: "server", session: session ?? "http", message, at: performance.now() });

  const reportRequest = (): void => {
    session ??= "http";
    for (const message of messages.splice(0)) {
      traffic({ from: "client", session, message, at, headers: pickHeaders(headers) });
    }
  };
  // The response to `initialize` contains the session.
  if (session !== undefined) reportRequest();
  return {
    receiveHeaders(responseHeaders) {
      session ??= toHeaderText(responseHeaders["mcp-session-id"]);
      reportRequest();
      const type = toHeaderText(responseHeaders["content-type"]) ?? "";
      if (type.startsWith("text/event-stream")) reader = createEventReader(reportServerMessage);
      else if (type.startsWith("application/json")) reader = createJsonReader(reportServerMessage);
    },
    receiveBody: (chunk) => reader?.chunk(decoder.decode(chunk, { stream: true })),
    end: () => reader?.end(),
    receiveOwnMessage(message) {
      reportRequest();
      reportServerMessage(message);
    },
    disconnect() {
      reportRequest();
      for (const requestId of ids) {
        const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
        traffic({ from: "client", session: session ?? "http", message, at: performance.now() });
      }
    },
  };
}

function createEventReader(reportServerMessage: (message: unknown) => void): {
  chunk(text: string): void;
  end(): void;
} {
  const parser = createParser({
    onEvent: ({ data }) => {
      for (const message of parseMessages(data)) reportServerMessage(message);
    },
  });
  return { chunk: (text) => parser.feed(text), end: () => undefined };
}

function createJsonReader(reportServerMessage: (message: unknown) => void): {
  chunk(text: string): void;
  end(): void;
} {
  let whole = "";
  return {
    chunk: (text) => {
      whole += text;
    },
    end: () => {
      for (const message of parseMessages(whole)) reportServerMessage(message);
    },
  };
}

/** Parses the messages in a string: several in a batch, none if it is not JSON-RPC. */
function parseMessages(text: string): object[] {
  try {
    const value: unknown = JSON.parse(text);
    return [value]
      .flat()
      .filter((each): each is object => Object(each) === each && "jsonrpc" in Object(each));
  } catch {
    return [];
  }
}

function isModern(messages: readonly object[]): boolean {
  return messages.some((message) => getMeta(message)[PROTOCOL_VERSION] !== undefined);
}

function getMeta(message: object): Record<string, unknown> {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return params?._meta ?? {};
}

/** Returns the client of a request without a session. Modern clients name themselves in every request. */
function findModernClient(messages: readonly object[]): string | undefined {
  for (const message of messages) {
    const { name } = Object(getMeta(message)[CLIENT_INFO]) as { name?: unknown };
    if (typeof name === "string") return `client ${name}`;
  }
  return undefined;
}

/** Returns the headers about messages and their sender. */
function pickHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^mcp-|^authorization$|^dpop$|^cookie$|^x-/.test(name));
  return Object.fromEntries(names.map((name) => [name, toHeaderText(headers[name]) ?? ""]));
}

function toHeaderText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : undefined;
}
