import type { Principal } from "../../api/caller.js";
import type { Agreement, SessionChange } from "../../connection/agreement.js";
import { bindingOf } from "../../connection/principal.js";
import type { Peer, TransportConnection } from "../transport.js";
import type { Server } from "../../server.js";
import { ProtocolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { SessionStreams } from "./session-streams.js";

/** One legacy client's conversation across requests, as this process knows it. */
export class HttpSession {
  /** That by which the client names it, once it is listed. */
  id: string | undefined;
  readonly connection: TransportConnection;
  /** Absent where the server sends nothing but answers. */
  readonly streams: SessionStreams | undefined;
  /** Requests being answered. */
  active = 0;
  lastUsed = 0;
  /** When its id is too old, in milliseconds since 1970. */
  endsAt = Infinity;

  /**
   * @param remember takes what the client changes after it has opened the session
   * @param agreement where the session was opened before
   */
  constructor(
    server: Server,
    readonly principal: Principal | undefined,
    remember: (session: HttpSession, change: SessionChange) => Promise<void> | undefined,
    agreement?: Agreement,
  ) {
    const peer: Peer = {
      principal,
      send: (text) => this.streams?.send(text),
      remember: (change) => remember(this, change),
    };
    this.connection = server.connect(peer, { agreement });
    if (server.sendsMessages) this.streams = new SessionStreams(this.connection, server.limits.replayBytes);
  }
}

/** The sessions that one endpoint knows: bounded in number and in idle time. */
export class HttpSessions {
  readonly #server: Server;
  /** By id, the one unused for longest first. */
  readonly #byId = new Map<string, HttpSession>();
  /** Those that clients have ended although their ids can still be opened, the first to end first. */
  readonly #ended = new Set<string>();
  /** What has been said once, and is not again. */
  readonly #told = new Set<string>();

  constructor(server: Server) {
    this.#server = server;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** A session for a client that is about to open one. */
  create(principal: Principal | undefined): HttpSession {
    return new HttpSession(this.#server, principal, this.#remember);
  }

  /**
   * Lists a session that its client has opened, under an id that it gets here.
   *
   * @throws ProtocolError when all places are taken, and none by a session that is idle
   */
  add(session: HttpSession): string {
    const { sessionSeal } = this.#server;
    const { agreement } = session.connection;
    const sealed = agreement && sessionSeal?.seal(agreement, session.principal);
    if (sessionSeal !== undefined && sealed === undefined) this.#tell(TOO_LONG);
    const id = sealed ?? globalThis.crypto.randomUUID();
    this.#list(session, id, sealed === undefined ? undefined : agreement);
    return id;
  }

  /**
   * The session of that id, which for anybody but its principal does not exist.
   *
   * @throws ProtocolError when it could be, but there is no place for it
   */
  find(id: string, principal: Principal | undefined): HttpSession | undefined {
    const known = this.#byId.get(id);
    if (known !== undefined) {
      const isTheirs = bindingOf(known.principal) === bindingOf(principal);
      return isTheirs && Date.now() <= known.endsAt ? known : undefined;
    }
    const agreement = this.#server.sessionSeal?.open(id, principal);
    if (agreement === undefined || this.#ended.has(agreement.id)) return undefined;
    const session = new HttpSession(this.#server, principal, this.#remember, agreement);
    this.#list(session, id, agreement);
    return session;
  }

  /** The session has just been used. One that has ended stays so. */
  touch(session: HttpSession): void {
    session.lastUsed = Date.now();
    const { id = "" } = session;
    if (this.#byId.delete(id)) this.#byId.set(id, session);
  }

  /** Ends a session for its client. */
  end(session: HttpSession): void {
    if (session.endsAt < Infinity && session.connection.agreement !== undefined) {
      this.#tell(ALONE);
      this.#ended.add(session.connection.agreement.id);
      const [first] = this.#ended;
      if (this.#ended.size > this.#server.limits.sessions) this.#ended.delete(first as string);
    }
    this.forget(session);
  }

  /** Ends what this process has of a session, be it listed or not. A sealed one goes on when its client comes back. */
  forget(session: HttpSession): void {
    this.#byId.delete(session.id ?? "");
    session.connection.close("The session has ended.");
    session.streams?.end();
  }

  /** Forgets at most so many idle sessions that were last used before a time; false when there is none. */
  forgetIdle(before: number, most = Infinity): boolean {
    let forgotten = 0;
    for (const session of this.#byId.values()) {
      if (forgotten >= most || session.lastUsed > before) break;
      if (session.active > 0 || session.streams?.isConnected === true) continue;
      this.forget(session);
      forgotten++;
    }
    return forgotten > 0;
  }

  keepAlive(): void {
    for (const { streams } of this.#byId.values()) streams?.keepAlive();
  }

  forgetAll(): void {
    for (const session of this.#byId.values()) this.forget(session);
  }

  /** @param sealed what the id carries, if it does */
  #list(session: HttpSession, id: string, sealed: Agreement | undefined): void {
    const { sessions, sessionMs } = this.#server.limits;
    // When all places are taken, the one idle for longest makes room.
    if (this.#byId.size >= sessions && !this.forgetIdle(Infinity, 1)) {
      this.forget(session);
      const headers = { "retry-after": "60" };
      throw new ProtocolError(
        ErrorCode.InvalidRequest,
        "Too many sessions are open.",
        undefined,
        503,
        headers,
      );
    }
    session.id = id;
    if (sealed !== undefined) session.endsAt = sealed.openedAt + sessionMs;
    this.#byId.set(id, session);
    this.touch(session);
  }

  readonly #remember = (session: HttpSession): undefined => {
    if (session.endsAt < Infinity) this.#tell(ALONE);
  };

  #tell(msg: string): void {
    if (this.#told.has(msg)) return;
    this.#told.add(msg);
    this.#server.log({ level: "warn", event: "warning", msg });
  }
}

const ALONE =
  "A client changed its session (log level, subscriptions, or its end), and only this process knows. Where TENON_STATE_KEYS " +
  "is set because there are several processes, give them a `store`.";

const TOO_LONG =
  "A client declares more than the id of a session can carry, so only this process knows its session. Where " +
  "TENON_STATE_KEYS is set because there are several processes, give them a `store`.";
