import type { Server } from "@tenon/runtime/server";
import type { Link } from "./link.js";

/** A message as it went over the wire, in either direction. */
export type WireMessage = Record<string, unknown>;

/** An MCP server at the far end of a link, for a client that expects one in its own process. */
export interface RelayedServer {
  readonly server: Server;
  /** Takes a message that has come from it. */
  receive(text: string): void;
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
  const connect: Server["connect"] = (peer) => {
    deliver = (text) => peer.send(text);
    const { principal } = peer;
    link.send({ type: "open", connection, ...(principal && { principal }) });
    const conversation: Pick<ReturnType<Server["connect"]>, "receive" | "close"> = {
      receive(message) {
        onSent(message as WireMessage);
        link.send({ type: "message", connection, message });
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
      // It would keep all notifications, for tests to look at; of calls, it knows what to do with progress alone.
      if (message["id"] !== undefined || message["method"] === "notifications/progress") deliver(text);
    },
  };
}
