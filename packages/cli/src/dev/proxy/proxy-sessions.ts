import { request, type Agent, type IncomingHttpHeaders } from "node:http";

/** A server on 127.0.0.1 behind the proxy. */
export interface Backend {
  readonly port: number;
}

/** Legacy sessions, by the ID that the client knows. A client's ID stays the same when a new server replaces the current one. */
export interface ProxySessions {
  /** Records that a server opened a session for this request. */
  add(id: string, opening: OpeningRequest): void;
  /**
   * Returns the session's ID on a backend. Opens the session there first if the backend does not know it.
   *
   * @param headers the headers of the request
   */
  getBackendId(id: string, backend: Backend, headers: IncomingHttpHeaders): Promise<string>;
  remove(id: string): void;
  /**
   * Records notifications for the sessions that have no stream, for example while a client reconnects.
   *
   * @param methods the notifications, without parameters
   * @param connected the sessions that receive them now
   */
  addMissed(methods: readonly string[], connected: ReadonlySet<string | undefined>): void;
  /** Returns the notifications that a session has missed, and forgets them. */
  takeMissed(id: string): string[];
}

/** The `initialize` request that opened a session. */
export interface OpeningRequest {
  backend: Backend;
  path: string;
  body: Buffer;
  headers: IncomingHttpHeaders;
}

interface Session extends Omit<OpeningRequest, "backend"> {
  /** The ID at each server that knows the session. A replaced server may have calls to finish. */
  ids: WeakMap<Backend, Promise<string>>;
  missed: Set<string>;
}

const INITIALIZED = Buffer.from(`{"jsonrpc":"2.0","method":"notifications/initialized"}`);

/** Creates an empty registry of sessions, each of which is reopened on every new server. */
export function createProxySessions(agent: Agent): ProxySessions {
  const sessions = new Map<string, Session>();

  const reopen = async (
    session: Session,
    backend: Backend,
    headers: IncomingHttpHeaders,
  ): Promise<string> => {
    const { path } = session;
    const id = await post(agent, backend, path, session.headers, session.body);
    if (id === undefined)
      throw new Error("The restarted server did not reopen the client's session. Reconnect the client.");
    await post(agent, backend, path, { ...headers, "mcp-session-id": id }, INITIALIZED);
    return id;
  };

  return {
    add(id, { backend, ...opening }) {
      const ids = new WeakMap([[backend, Promise.resolve(id)]]);
      sessions.set(id, { ...opening, ids, missed: new Set() });
    },
    async getBackendId(id, backend, headers) {
      const session = sessions.get(id);
      if (!session) return id;
      const known = session.ids.get(backend) ?? reopen(session, backend, headers);
      session.ids.set(backend, known);
      return known;
    },
    remove(id) {
      sessions.delete(id);
    },
    addMissed(methods, connected) {
      for (const [id, { missed }] of sessions)
        if (!connected.has(id)) for (const method of methods) missed.add(method);
    },
    takeMissed(id) {
      const missed = sessions.get(id)?.missed;
      const methods = [...(missed ?? [])];
      missed?.clear();
      return methods;
    },
  };
}

/** Sends a POST request, and returns the session ID in the response, if any. */
function post(
  agent: Agent,
  { port }: Backend,
  path: string,
  original: IncomingHttpHeaders,
  body: Buffer,
): Promise<string | undefined> {
  const headers: IncomingHttpHeaders = { ...original, accept: "application/json, text/event-stream" };
  headers["content-type"] = "application/json";
  headers["content-length"] = String(body.length);
  delete headers["transfer-encoding"];
  delete headers["last-event-id"];
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path, method: "POST", headers, agent },
      (response) => {
        const id = response.headers["mcp-session-id"];
        response.resume();
        response.on("end", () => resolve(typeof id === "string" ? id : undefined));
        response.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
