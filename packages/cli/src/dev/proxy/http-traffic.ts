import type { IncomingHttpHeaders } from "node:http";
import { createParser } from "eventsource-parser";
import type { Traffic } from "./traffic.js";

/** One HTTP request and its answer, as far as they carry JSON-RPC messages. */
export interface HttpExchange {
  /** The headers of the answer are there. */
  answered(headers: { readonly [name: string]: unknown }): void;
  /** A piece of the answer's body. */
  body(chunk: Buffer): void;
  /** The answer is whole. */
  end(): void;
  /** A message that the proxy sends by itself. */
  sent(message: object): void;
  /** The client has gone before the answer was whole. Since 2026-07-28 that cancels its request. */
  hungUp(): void;
}

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** @param body of the request: a message, a batch, or nothing where the client only listens */
export function observeExchange(traffic: Traffic, headers: IncomingHttpHeaders, body: Buffer): HttpExchange {
  const at = performance.now();
  const messages = parsed(body.toString("utf8"));
  let session = headerText(headers["mcp-session-id"]) ?? modernClient(messages);
  let answer: { chunk(text: string): void; end(): void } | undefined;
  const ids = isModern(messages) ? messages.flatMap((each) => ("id" in each ? [each.id] : [])) : [];
  const decoder = new TextDecoder();
  const sent = (message: unknown): void =>
    traffic({ from: "server", session: session ?? "http", message, at: performance.now() });

  const tellRequest = (): void => {
    session ??= "http";
    for (const message of messages.splice(0)) {
      traffic({ from: "client", session, message, at, headers: told(headers) });
    }
  };
  // Which session `initialize` opens is told by its answer.
  if (session !== undefined) tellRequest();
  return {
    answered(answerHeaders) {
      session ??= headerText(answerHeaders["mcp-session-id"]);
      tellRequest();
      const type = headerText(answerHeaders["content-type"]) ?? "";
      if (type.startsWith("text/event-stream")) answer = eventsTo(sent);
      else if (type.startsWith("application/json")) answer = jsonTo(sent);
    },
    body: (chunk) => answer?.chunk(decoder.decode(chunk, { stream: true })),
    end: () => answer?.end(),
    sent(message) {
      tellRequest();
      sent(message);
    },
    hungUp() {
      tellRequest();
      for (const requestId of ids) {
        const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
        traffic({ from: "client", session: session ?? "http", message, at: performance.now() });
      }
    },
  };
}

function eventsTo(sent: (message: unknown) => void): { chunk(text: string): void; end(): void } {
  const parser = createParser({
    onEvent: ({ data }) => {
      for (const message of parsed(data)) sent(message);
    },
  });
  return { chunk: (text) => parser.feed(text), end: () => undefined };
}

function jsonTo(sent: (message: unknown) => void): { chunk(text: string): void; end(): void } {
  let whole = "";
  return {
    chunk: (text) => {
      whole += text;
    },
    end: () => {
      for (const message of parsed(whole)) sent(message);
    },
  };
}

/** The messages of a text: several of a batch, none of what is no JSON-RPC. */
function parsed(text: string): object[] {
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
  return messages.some((message) => metaOf(message)[PROTOCOL_VERSION] !== undefined);
}

function metaOf(message: object): Record<string, unknown> {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return params?._meta ?? {};
}

/** Revisions without sessions say in every request which program asks. */
function modernClient(messages: readonly object[]): string | undefined {
  for (const message of messages) {
    const { name } = Object(metaOf(message)[CLIENT_INFO]) as { name?: unknown };
    if (typeof name === "string") return `client ${name}`;
  }
  return undefined;
}

/** The headers that say something about messages or about who sends them. */
function told(headers: IncomingHttpHeaders): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^mcp-|^authorization$|^dpop$|^cookie$|^x-/.test(name));
  return Object.fromEntries(names.map((name) => [name, headerText(headers[name]) ?? ""]));
}

function headerText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : undefined;
}
