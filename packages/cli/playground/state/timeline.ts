import { signal, type ReadonlySignal } from "@preact/signals";
import type { WireMessage } from "../connection/relayed-server.js";

/** A message on the timeline. */
export interface TimedMessage {
  number: number;
  /** Milliseconds since the page was opened. */
  at: number;
  direction: "sent" | "received";
  kind: "request" | "answer" | "error" | "notification";
  /** Of the request, where this is its answer. */
  method: string;
  /** From the request to this answer. */
  ms: number | undefined;
  /** Of the subscription, where the message belongs to one. */
  stream: string | undefined;
  /** The version of the server it was exchanged with. */
  build: number;
  /** As JSON: no bigger than that, and to be searched. */
  text: string;
}

export interface Timeline {
  readonly messages: ReadonlySignal<readonly TimedMessage[]>;
  /** @param connection ids of different connections have nothing to do with each other */
  add(direction: TimedMessage["direction"], message: WireMessage, connection: number, build: number): void;
  /** Nothing is answered any more on a connection. */
  forget(connection: number): void;
  clear(): void;
}

/** Older messages are forgotten. */
const MOST_MESSAGES = 1000;
/** Of all their texts together. The latest message is kept however long it is. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** @param now the time in milliseconds */
export function createTimeline(now: () => number): Timeline {
  const messages = signal<readonly TimedMessage[]>([]);
  const requests = new Map<string, { method: string; at: number }>();
  let count = 0;
  let characters = 0;

  const keep = (added: TimedMessage): void => {
    characters += added.text.length;
    let gone = messages.value.length < MOST_MESSAGES ? 0 : 1;
    for (const { text } of messages.value.slice(0, gone)) characters -= text.length;
    for (; characters > MOST_CHARACTERS && gone < messages.value.length; gone += 1)
      characters -= messages.value[gone]?.text.length ?? 0;
    messages.value = [...messages.value.slice(gone), added];
  };
  return {
    messages,
    add(direction, message, connection, build) {
      const at = now();
      const { id, method, error } = message;
      const asker = direction === "sent" ? "page" : "server";
      const other = direction === "sent" ? "server" : "page";
      let request: { method: string; at: number } | undefined;
      if (typeof method === "string") {
        if (id !== undefined) requests.set(keyOf(asker, connection, id), { method, at });
      } else {
        request = requests.get(keyOf(other, connection, id));
        requests.delete(keyOf(other, connection, id));
      }
      const kind = typeof method === "string" ? (id === undefined ? "notification" : "request") : "answer";
      const added: TimedMessage = {
        number: (count += 1),
        at,
        direction,
        kind: kind === "answer" && error !== undefined ? "error" : kind,
        method: typeof method === "string" ? method : (request?.method ?? "unknown"),
        ms: request && at - request.at,
        stream: streamOf(message) ?? (method === "subscriptions/listen" ? String(id) : undefined),
        build,
        text: JSON.stringify(message),
      };
      keep(added);
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

function streamOf({ params, result }: WireMessage): string | undefined {
  const { _meta } = (params ?? result ?? {}) as { _meta?: Record<string, unknown> };
  const id = _meta?.["io.modelcontextprotocol/subscriptionId"];
  return id === undefined ? undefined : String(id);
}

function keyOf(asker: string, connection: number, id: unknown): string {
  return JSON.stringify([asker, connection, id]);
}
