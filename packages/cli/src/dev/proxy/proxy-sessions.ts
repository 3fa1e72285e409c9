import { request, type Agent, type IncomingHttpHeaders } from "node:http";

/** A server on 127.0.0.1 behind the proxy. */
export interface Backend {
  readonly port: number;
}

/** Sessions of the older revisions as clients know them, whichever server holds them at the moment. */
export interface ProxySessions {
  /** A server has opened a session in answer to this request. */
  add(id: string, opening: OpeningRequest): void;
  /**
   * The session's id at a server. At one that does not know the session, it is opened again first.
   *
   * @param headers of the request that belongs to the session
   */
  backendId(id: string, backend: Backend, headers: IncomingHttpHeaders): Promise<string>;
  remove(id: string): void;
}

/** The request that opened a session. */
export interface OpeningRequest {
  backend: Backend;
  path: string;
  body: Buffer;
  headers: IncomingHttpHeaders;
}

interface Session extends Omit<OpeningRequest, "backend"> {
  /** Its id at each server that knows it: one that was replaced may have calls to finish. */
  ids: WeakMap<Backend, Promise<string>>;
}

const INITIALIZED = Buffer.from(`{"jsonrpc":"2.0","method":"notifications/initialized"}`);

export function createProxySessions(agent: Agent): ProxySessions {
  const sessions = new Map<string, Session>();

  const reopen = async (
    session: Session,
    backend: Backend,
    headers: IncomingHttpHeaders,
  ): Promise<string> => {
    const { path } = session;
    const id = await post(agent, backend, path, session.headers, session.body);
    if (id === undefined) throw new Error("The server did not open a session again.");
    await post(agent, backend, path, { ...headers, "mcp-session-id": id }, INITIALIZED);
    return id;
  };

  return {
    add(id, { backend, ...opening }) {
      sessions.set(id, { ...opening, ids: new WeakMap([[backend, Promise.resolve(id)]]) });
    },
    async backendId(id, backend, headers) {
      const session = sessions.get(id);
      if (!session) return id;
      const known = session.ids.get(backend) ?? reopen(session, backend, headers);
      session.ids.set(backend, known);
      return known;
    },
    remove(id) {
      sessions.delete(id);
    },
  };
}

/** @returns the session id in the answer, if there is one */
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
    const outgoing = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent }, (answer) => {
      const id = answer.headers["mcp-session-id"];
      answer.resume();
      answer.on("end", () => resolve(typeof id === "string" ? id : undefined));
      answer.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
