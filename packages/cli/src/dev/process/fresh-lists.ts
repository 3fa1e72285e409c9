import type { Server } from "@tenon/runtime/server";
import { LIST_METHODS } from "../../project/list-methods.js";

type Connection = Pick<ReturnType<Server["acceptStateless"]>, "receive">;
type Received = Awaited<ReturnType<Connection["receive"]>>;

/**
 * Wraps a server so that clients of 2026-07-28 do not cache its lists. A list that cannot change while a server runs does
 * change when an edited version replaces it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export function withFreshLists(server: Server): Server {
  function withoutCaching<C extends Connection>(connection: C): C {
    const receive = connection.receive.bind(connection);
    return Object.assign(connection, {
      receive: ((message, peer) => {
        const received = receive(message, peer);
        if (!LIST_METHODS.has((Object(message) as { method?: unknown }).method)) return received;
        return received instanceof Promise ? received.then(expire) : expire(received);
      }) satisfies typeof receive,
    });
  }
  return {
    ...server,
    connect: (peer, options) => withoutCaching(server.connect(peer, options)),
    acceptStateless: (options) => withoutCaching(server.acceptStateless(options)),
  };
}

/** Sets the lifetime of a result to 0. Older revisions have no lifetimes. */
function expire(received: Received): Received {
  if (received === undefined) return received;
  const response = JSON.parse(received.text) as { result?: { ttlMs?: number } };
  if (response.result?.ttlMs === undefined) return received;
  return { ...received, text: JSON.stringify({ ...response, result: { ...response.result, ttlMs: 0 } }) };
}
