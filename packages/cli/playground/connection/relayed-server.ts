import type { Server } from "@tenon/runtime/server";
import type { Link } from "./link.js";

/** A message as it went over the wire, in either direction. */
export type WireMessage = Record<string, unknown>;

/** An MCP server at the far end of a link, for a client that expects one in its own process. */
export interface RelayedServer {
  readonly server: Server;
  /** Takes a message that has come from it. */
  receive(text: string): void;
  /**
   * The server is gone: what it has not answered is answered with this error. What is sent from now on waits for another
   * one.
   */
  leave(problem: string): void;
  /** Goes on with the server that there is now. */
  moveOn(): void;
}

/**
 * @param connection a number that no other connection of this page has had
 * @param onSent sees what the client sends
 * @param onReceived sees what the server sends
 */
export function relayedServer(
  link: Link,
  connection: number,
  onSent: (message: WireMessage) => void,
  onReceived: (message: WireMessage) => void,
): RelayedServer {
  let deliver: (text: string) => void = () => {};
  let open = (): void => {};
  let waiting: WireMessage[] | undefined;
  const unanswered = new Set<unknown>();
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
        const message = given as WireMessage;
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
    receive(text) {
      const message = JSON.parse(text) as WireMessage;
      onReceived(message);
      if (message["method"] === undefined) unanswered.delete(message["id"]);
      // It would keep all notifications, for tests to look at; of calls, it knows what to do with progress alone.
      if (message["id"] !== undefined || message["method"] === "notifications/progress") deliver(text);
    },
    leave(message) {
      waiting = [];
      for (const id of unanswered)
        deliver(JSON.stringify({ jsonrpc: "2.0", id, error: { code: SERVER_GONE, message } }));
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
