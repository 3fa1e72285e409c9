import { signal, type ReadonlySignal } from "@preact/signals";
import type { WireMessage } from "../connection/relayed-server.js";

/** A message on the timeline. */
export interface TimedMessage {
  number: number;
  /** Milliseconds since the page was opened. */
  at: number;
  direction: "sent" | "received";
  kind: "request" | "response" | "error" | "notification";
  /** The method of the request that a response belongs to. */
  method: string;
  /** Milliseconds from the request to this response. */
  ms: number | undefined;
  /** The ID of the subscription that a message belongs to. */
  stream: string | undefined;
  /** The version of the server that sent or received it. */
  build: number;
  /** The message as JSON, which is searchable. */
  text: string;
}

export interface Timeline {
  readonly messages: ReadonlySignal<readonly TimedMessage[]>;
  /**
   * Adds a message.
   *
   * @param connection the connection, since IDs are unique only within one
   */
  add(direction: TimedMessage["direction"], message: WireMessage, connection: number, build: number): void;
  /** Discards the pending requests of a connection. */
  forget(connection: number): void;
  clear(): void;
}

/** Maximum number of messages. Older ones are removed. */
const MAX_MESSAGES = 1000;
/** Maximum number of characters of all messages. The latest message is kept regardless of its size. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Creates an empty timeline.
 *
 * @param now returns the time in milliseconds
 */
export function createTimeline(now: () => number): Timeline {
  const messages = signal<readonly TimedMessage[]>([]);
  const requests = new Map<string, { method: string; at: number }>();
  let count = 0;
  let characters = 0;

  const append = (added: TimedMessage): void => {
    characters += added.text.length;
    let removedCount = messages.value.length < MAX_MESSAGES ? 0 : 1;
    for (const { text } of messages.value.slice(0, removedCount)) characters -= text.length;
    for (; characters > MAX_CHARACTERS && removedCount < messages.value.length; removedCount += 1)
      characters -= messages.value[removedCount]?.text.length ?? 0;
    messages.value = [...messages.value.slice(removedCount), added];
  };
  return {
    messages,
    add(direction, message, connection, build) {
      const at = now();
      const { id, method, error } = message;
      const requester = direction === "sent" ? "page" : "server";
      const responder = direction === "sent" ? "server" : "page";
      let request: { method: string; at: number } | undefined;
      if (typeof method === "string") {
        if (id !== undefined) requests.set(toKey(requester, connection, id), { method, at });
      } else {
        request = requests.get(toKey(responder, connection, id));
        requests.delete(toKey(responder, connection, id));
      }
      const kind = typeof method === "string" ? (id === undefined ? "notification" : "request") : "response";
      const added: TimedMessage = {
        number: (count += 1),
        at,
        direction,
        kind: kind === "response" && error !== undefined ? "error" : kind,
        method: typeof method === "string" ? method : (request?.method ?? "unknown"),
        ms: request && at - request.at,
        stream: getStream(message) ?? (method === "subscriptions/listen" ? String(id) : undefined),
        build,
        text: JSON.stringify(message),
      };
      append(added);
    },
    forget(connection) {
      for (const key of requests.keys())
        if ((JSON.parse(key) as unknown[])[1] === connection) requests.delete(key);
    },
    clear() {
      messages.value = [];
      characters = 0;
    },
  };
}

function getStream({ params, result }: WireMessage): string | undefined {
  const { _meta } = (params ?? result ?? {}) as { _meta?: Record<string, unknown> };
  const id = _meta?.["io.modelcontextprotocol/subscriptionId"];
  return id === undefined ? undefined : String(id);
}

function toKey(requester: string, connection: number, id: unknown): string {
  return JSON.stringify([requester, connection, id]);
}
