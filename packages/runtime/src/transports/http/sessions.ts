import type { Principal } from "../../api/caller.js";
import { bindingOf } from "../../connection/principal.js";
import type { TransportConnection } from "../transport.js";
import type { Server } from "../../server.js";
import { SessionStreams } from "./session-streams.js";

/** One legacy client's conversation across requests. */
export class HttpSession {
  readonly id = globalThis.crypto.randomUUID();
  readonly connection: TransportConnection;
  /** Absent where the server sends nothing but answers. */
  readonly streams: SessionStreams | undefined;
  /** Requests being answered. */
  active = 0;
  lastUsed = 0;

  constructor(
    server: Server,
    readonly principal: Principal | undefined,
  ) {
    this.connection = server.connect({ principal, send: (text) => this.streams?.send(text) });
    if (server.sendsMessages) this.streams = new SessionStreams(this.connection, server.limits.replayBytes);
  }
}

/** The sessions of one endpoint: bounded in number and in idle time. */
export class HttpSessions {
  readonly #most: number;
  /** By id, the one unused for longest first. */
  readonly #byId = new Map<string, HttpSession>();

  /** @param most How many may be open at once. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Lists a session. When all places are taken, the one idle for longest makes room; false if none is idle. */
  add(session: HttpSession): boolean {
    if (this.#byId.size >= this.#most && !this.endIdle(Infinity, 1)) return false;
    this.#byId.set(session.id, session);
    this.touch(session);
    return true;
  }

  /** The session of that id, which for anybody but its principal does not exist. */
  find(id: string | undefined, principal: Principal | undefined): HttpSession | undefined {
    const session = this.#byId.get(id ?? "");
    return session && bindingOf(session.principal) === bindingOf(principal) ? session : undefined;
  }

  /** The session has just been used. One that has ended stays so. */
  touch(session: HttpSession): void {
    session.lastUsed = Date.now();
    if (this.#byId.delete(session.id)) this.#byId.set(session.id, session);
  }

  /** Ends a session, be it listed or not. */
  end(session: HttpSession): void {
    this.#byId.delete(session.id);
    session.connection.close("The session has ended.");
    session.streams?.end();
  }

  /** Ends at most so many idle sessions that were last used before a time; false when there is none. */
  endIdle(before: number, most = Infinity): boolean {
    let ended = 0;
    for (const session of this.#byId.values()) {
      if (ended >= most || session.lastUsed > before) break;
      if (session.active > 0 || session.streams?.isConnected === true) continue;
      this.end(session);
      ended++;
    }
    return ended > 0;
  }

  keepAlive(): void {
    for (const { streams } of this.#byId.values()) streams?.keepAlive();
  }

  endAll(): void {
    for (const session of this.#byId.values()) this.end(session);
  }
}
