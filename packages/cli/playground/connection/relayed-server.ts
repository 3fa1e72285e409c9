import type { Server } from "@tenon/runtime/server";
import type { Link } from "./link.js";

/** A message as it went over the wire, in either direction. */
export type WireMessage = Record<string, unknown>;

/** An MCP server at the far end of a link, for a client that expects one in its own process. */
export interface RelayedServer {
  readonly server: Server;
  /** Takes a message that has come from it. @param about the id of the request that it is said during */
  receive(text: string, about: unknown): void;
  /** For which call of the page a request was sent that is not answered yet, by its id; undefined where for none. */
  callOf(requestId: unknown): number | undefined;
  /**
   * The server is gone: what it has not answered is answered with this error. What is sent from now on waits for another
   * one.
   */
  leave(problem: string): void;
  /** Goes on with the server that there is now. */
  moveOn(): void;
}

/** In the `_meta` of a request, while it is within the page: the number of the call that it is sent for. */
export const CALL_KEY = "tenon-playground/call";

/**
 * @param connection a number that no other connection of this page has had
 * @param onSent sees what the client sends
 * @param onReceived sees what the server sends
 */
export function relayedServer(
  link: Link,
  connection: number,
  onSent: (message: WireMessage) => void,
  onReceived: (message: WireMessage, about: unknown) => void,
): RelayedServer {
  let deliver: (text: string) => void = () => {};
  let open = (): void => {};
  let waiting: WireMessage[] | undefined;
  const unanswered = new Set<unknown>();
  const calls = new Map<unknown, number>();
  const send = (message: WireMessage): void => {
    onSent(message);
    if (message["method"] !== undefined && message["id"] !== undefined) unanswered.add(message["id"]);
    link.send({ type: "message", connection, message });
  };
  const connect: Server["connect"] = (peer) => {
    deliver = (text) => peer.send(text);
    const { principal } = peer;
    open = () => link.send({ type: "open", connection, ...(principal && { principal }) });
    open();
    const conversation: Pick<ReturnType<Server["connect"]>, "receive" | "close"> = {
      receive(given) {
        const message = withoutCall(given as WireMessage, calls);
        if (waiting) waiting.push(message);
        else send(message);
        // Its answers come as everything else does.
        return undefined;
      },
      close: () => link.send({ type: "close", connection }),
    };
    return conversation as ReturnType<Server["connect"]>;
  };
  // The client needs nothing of a server but to connect to it.
  return {
    server: { connect } as Server,
    callOf: (requestId) => calls.get(requestId),
    receive(text, about) {
      const message = JSON.parse(text) as WireMessage;
      onReceived(message, about);
      const { id, method } = message;
      if (method === undefined) unanswered.delete(id);
      // It would keep all notifications, for tests to look at; of calls, it knows what to do with progress alone.
      if (id !== undefined || method === "notifications/progress") deliver(text);
      if (method === undefined) calls.delete(id);
    },
    leave(message) {
      waiting = [];
      for (const id of unanswered) {
        deliver(JSON.stringify({ jsonrpc: "2.0", id, error: { code: SERVER_GONE, message } }));
        calls.delete(id);
      }
      unanswered.clear();
    },
    moveOn() {
      open();
      const kept = waiting ?? [];
      waiting = undefined;
      for (const message of kept) send(message);
    },
  };
}

/** As the specification's own clients say that a connection has closed. */
const SERVER_GONE = -32000;

/** Notes the call that a request is sent for, and takes the number out: no server is told. */
function withoutCall(message: WireMessage, calls: Map<unknown, number>): WireMessage {
  const { _meta, ...params } = (message["params"] ?? {}) as { _meta?: Record<string, unknown> };
  const { [CALL_KEY]: call, ...meta } = _meta ?? {};
  if (typeof call !== "number") return message;
  calls.set(message["id"], call);
  return { ...message, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}
