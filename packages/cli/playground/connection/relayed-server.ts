import type { Server } from "@tenon/runtime/server";
import type { Link } from "./link.js";

/** A JSON-RPC message in either direction. */
export type WireMessage = Record<string, unknown>;

/** An MCP server at the other end of a link, for a client that expects one in its own process. */
export interface RelayedServer {
  readonly server: Server;
  /** Whether the client waits for a response. */
  readonly hasPending: boolean;
  /**
   * Handles a message from the server.
   *
   * @param about the ID of the related request
   */
  receive(text: string, about: unknown): void;
  /** Returns the page's call that a pending request belongs to, or undefined if there is none. */
  findCall(requestId: unknown): number | undefined;
  /**
   * Fails pending requests with this error, because the server exited. Later messages wait for the next server.
   */
  failPending(problem: string): void;
  /** Connects to the current server and sends it the waiting messages. */
  resume(): void;
}

/** The member of a request's `_meta` with the number of its call. Removed before the request leaves the page. */
export const CALL_KEY = "tenon-playground/call";

/**
 * Creates a server that relays messages over a link.
 *
 * @param connection a number that is unique among all connections of this page
 * @param onSent receives the client's messages
 * @param onReceived receives the server's messages
 */
export function createRelayedServer(
  link: Link,
  connection: number,
  onSent: (message: WireMessage) => void,
  onReceived: (message: WireMessage, about: unknown) => void,
): RelayedServer {
  let deliver: (text: string) => void = () => {};
  let open = (): void => {};
  let waiting: WireMessage[] | undefined;
  const pendingIds = new Set<unknown>();
  const calls = new Map<unknown, number>();
  const send = (message: WireMessage): void => {
    onSent(message);
    const { id, method, params } = message;
    if (method === "notifications/cancelled")
      pendingIds.delete((params as { requestId?: unknown }).requestId);
    else if (method !== undefined && id !== undefined) pendingIds.add(id);
    link.send({ type: "message", connection, message });
  };
  const connect: Server["connect"] = (peer) => {
    deliver = (text) => peer.send(text);
    const { principal } = peer;
    open = () => link.send({ type: "open", connection, ...(principal && { principal }) });
    open();
    const conversation: Pick<ReturnType<Server["connect"]>, "receive" | "close"> = {
      receive(given) {
        const message = removeCallNumber(given as WireMessage, calls);
        if (waiting) waiting.push(message);
        else send(message);
        // Responses arrive like all other messages.
        return undefined;
      },
      close: () => link.send({ type: "close", connection }),
    };
    return conversation as ReturnType<Server["connect"]>;
  };
  // The client uses no other member of a server.
  return {
    server: { connect } as Server,
    get hasPending() {
      return pendingIds.size > 0;
    },
    findCall: (requestId) => calls.get(requestId),
    receive(text, about) {
      const message = JSON.parse(text) as WireMessage;
      onReceived(message, about);
      const { id, method } = message;
      if (method === undefined) pendingIds.delete(id);
      // The client stores all notifications for tests, but handles only those about progress.
      if (id !== undefined || method === "notifications/progress") deliver(text);
      if (method === undefined) calls.delete(id);
    },
    failPending(message) {
      waiting = [];
      for (const id of pendingIds) {
        deliver(JSON.stringify({ jsonrpc: "2.0", id, error: { code: CONNECTION_CLOSED, message } }));
        calls.delete(id);
      }
      pendingIds.clear();
    },
    resume() {
      open();
      const queued = waiting ?? [];
      waiting = undefined;
      for (const message of queued) send(message);
    },
  };
}

/** The code with which the official SDK reports a closed connection. */
const CONNECTION_CLOSED = -32000;

/** Records the call that a request belongs to, and removes its number, which no server should see. */
function removeCallNumber(message: WireMessage, calls: Map<unknown, number>): WireMessage {
  const { _meta, ...params } = (message["params"] ?? {}) as { _meta?: Record<string, unknown> };
  const { [CALL_KEY]: call, ...meta } = _meta ?? {};
  if (typeof call !== "number") return message;
  calls.set(message["id"], call);
  return { ...message, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}
