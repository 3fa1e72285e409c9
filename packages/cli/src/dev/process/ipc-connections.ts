import type { Principal, PrincipalInput } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";

/** From the parent process, about conversations with the server that go by way of it. */
export type ToConnections =
  | { type: "open"; connection: number; principal?: PrincipalInput | undefined }
  | { type: "message"; connection: number; message: unknown }
  | { type: "close"; connection: number };

/** To the parent process: one message of the server's. */
export interface FromConnection {
  connection: number;
  text: string;
  /** The request that it is said during, where it is about one: by the id that its client gave it. */
  about?: unknown;
}

type Peer = Parameters<Server["connect"]>[0];

/** Clients of a server that talk to it through the parent process: whoever that says they are, they are. */
export interface IpcConnections {
  take(message: ToConnections): void;
  /** Resolves when every message taken so far is answered. */
  drain(): Promise<void>;
}

/** @param send to the parent process */
export function createIpcConnections(
  server: Pick<Server, "connect">,
  send: (message: FromConnection) => void,
): IpcConnections {
  const connections = new Map<number, { peer: Peer; ends: ReturnType<Server["connect"]> }>();
  const unanswered = new Set<Promise<void>>();

  const answer = async (number: number, message: unknown): Promise<void> => {
    const { peer, ends } = connections.get(number) ?? {};
    const about = (message as { id?: unknown } | null)?.id;
    const own = peer && { ...peer, send: (text: string) => send({ connection: number, text, about }) };
    const reply = await ends?.receive(message, own);
    if (reply) send({ connection: number, text: reply.text });
  };
  return {
    take(message) {
      const { type, connection } = message;
      if (type === "open") {
        const peer = {
          send: (text: string) => send({ connection, text }),
          principal: principalOf(message.principal),
        };
        connections.set(connection, { peer, ends: server.connect(peer) });
      } else if (type === "message") {
        const work: Promise<void> = answer(connection, message.message).finally(() =>
          unanswered.delete(work),
        );
        unanswered.add(work);
      } else {
        connections.get(connection)?.ends.close();
        connections.delete(connection);
      }
    },
    async drain() {
      while (unanswered.size > 0) await Promise.all(unanswered);
    },
  };
}

function principalOf(given: PrincipalInput | undefined): Principal | undefined {
  if (given === undefined) return undefined;
  return typeof given === "string"
    ? { subject: given, scopes: [], claims: {} }
    : { scopes: [], claims: {}, ...given };
}
