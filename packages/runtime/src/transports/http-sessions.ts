import type { Connection } from "../connection.js";
import type { Limits } from "../define-server.js";
import type { Server } from "../server.js";
import { ReplayLog } from "./replay.js";

/** How often ended sessions are looked for, as a share of the time after which they end. */
const SWEEPS_PER_IDLE_TIME = 4;

/** How many messages wait for a client that opens its stream late, or never. */
const MOST_EARLY_EVENTS = 100;

/** One legacy client's conversation across requests. */
export class HttpSession {
  readonly id = globalThis.crypto.randomUUID();
  readonly connection: Connection;
  readonly log: ReplayLog;
  /** Requests being answered. */
  active = 0;
  /** Its client has, or has had, a stream for messages of no request. */
  #listens = false;
  #lastUsed = Date.now();

  constructor(
    server: Server,
    readonly principal: string | undefined,
  ) {
    this.log = new ReplayLog(server.limits.replayBytes);
    this.connection = server.connect({
      principal,
      send: (text) => {
        if (this.#listens || this.log.standing.sequence < MOST_EARLY_EVENTS) this.log.standing.send(text);
      },
    });
  }

  /**
   * The client listens to messages of no request from here on.
   *
   * @returns The event after which it has to be told: the first time, what was said before it could listen too.
   */
  listen(): number {
    const after = this.#listens ? this.log.standing.sequence : 0;
    this.#listens = true;
    return after;
  }

  touch(): void {
    this.#lastUsed = Date.now();
  }

  get lastUsed(): number {
    return this.#lastUsed;
  }

  get isIdle(): boolean {
    return this.active === 0 && !this.log.isHeard;
  }

  end(): void {
    this.connection.close("The session has ended.");
    this.log.end();
  }
}

/** The sessions of one endpoint: bounded in number and in idle time. */
export class HttpSessions {
  readonly #server: Server;
  readonly #limits: Limits;
  /** By id, the one unused for longest first. */
  readonly #byId = new Map<string, HttpSession>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(server: Server) {
    this.#server = server;
    this.#limits = server.limits;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** A session not yet listed, so that a failed handshake leaves nothing behind. */
  create(principal: string | undefined): HttpSession {
    return new HttpSession(this.#server, principal);
  }

  /** Lists a session. When all places are taken, the one idle for longest makes room; false if none is idle. */
  add(session: HttpSession): boolean {
    if (this.#byId.size >= this.#limits.sessions && !this.#evict()) return false;
    this.#byId.set(session.id, session);
    this.#startSweeping();
    return true;
  }

  /** The session of that id, which for anybody but its principal does not exist. */
  find(id: string, principal: string | undefined): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    this.touch(session);
    return session;
  }

  /** The session has just been used. One that has ended stays so. */
  touch(session: HttpSession): void {
    session.touch();
    if (this.#byId.delete(session.id)) this.#byId.set(session.id, session);
  }

  end(id: string): boolean {
    const session = this.#byId.get(id);
    if (session === undefined) return false;
    this.#byId.delete(id);
    session.end();
    return true;
  }

  keepAlive(): void {
    for (const session of this.#byId.values()) session.log.keepAlive();
  }

  endAll(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
    for (const id of this.#byId.keys()) this.end(id);
  }

  #evict(): boolean {
    for (const session of this.#byId.values()) {
      if (session.isIdle) return this.end(session.id);
    }
    return false;
  }

  #startSweeping(): void {
    if (this.#sweeper !== undefined) return;
    const every = Math.max(1, Math.min(60_000, this.#limits.sessionIdleMs / SWEEPS_PER_IDLE_TIME));
    this.#sweeper = setInterval(() => this.#sweep(), every);
    this.#sweeper.unref();
  }

  #sweep(): void {
    const latest = Date.now() - this.#limits.sessionIdleMs;
    for (const session of this.#byId.values()) {
      if (session.isIdle && session.lastUsed <= latest) this.end(session.id);
    }
    if (this.#byId.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
