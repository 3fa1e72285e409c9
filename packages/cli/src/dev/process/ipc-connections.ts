import type { Principal, PrincipalInput } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";

/** A message from the parent process about connections that it forwards. */
export type ToConnections =
  | { type: "open"; connection: number; principal?: PrincipalInput | undefined }
  | { type: "message"; connection: number; message: unknown }
  | { type: "close"; connection: number };

/** A message from the server to its parent process. */
export interface FromConnection {
  connection: number;
  text: string;
  /** The client's ID of the request that the message belongs to, if any. */
  about?: unknown;
}

type Peer = Parameters<Server["connect"]>[0];

/** Connections of clients through the parent process, which determines their principals. */
export interface IpcConnections {
  receive(message: ToConnections): void;
  /** Resolves when the server has responded to all messages so far. */
  drain(): Promise<void>;
}

/**
 * Creates the connections.
 *
 * @param send sends a message to the parent process
 */
export function createIpcConnections(
  server: Pick<Server, "connect">,
  send: (message: FromConnection) => void,
): IpcConnections {
  const connections = new Map<number, { peer: Peer; serverEnd: ReturnType<Server["connect"]> }>();
  const pending = new Set<Promise<void>>();

  const respond = async (number: number, message: unknown): Promise<void> => {
    const connection = connections.get(number);
    if (connection === undefined) return;
    const about = (message as { id?: unknown } | null)?.id;
    const reply = await connection.serverEnd.receive(message, {
      ...connection.peer,
      send: (text) => send({ connection: number, text, about }),
    });
    if (reply) send({ connection: number, text: reply.text });
  };
  return {
    receive(message) {
      const { type, connection } = message;
      if (type === "open") {
        const peer = {
          send: (text: string) => send({ connection, text }),
          principal: toPrincipal(message.principal),
        };
        connections.set(connection, { peer, serverEnd: server.connect(peer) });
      } else if (type === "message") {
        const work: Promise<void> = respond(connection, message.message).finally(() => pending.delete(work));
        pending.add(work);
      } else {
        connections.get(connection)?.serverEnd.close();
        connections.delete(connection);
      }
    },
    async drain() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

function toPrincipal(given: PrincipalInput | undefined): Principal | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "string") return { subject: given, scopes: [], claims: {} };
  return { ...given, scopes: given.scopes ?? [], claims: given.claims ?? {} };
}
