import type { Principal } from "../../../api/caller.js";
import type { Agreement, SessionChange } from "../../../protocol/agreement.js";
import { bindingOf } from "../../../connection/principal.js";
import { TooManySessions } from "../exchange/refusal.js";
import { HttpSession, type SessionServer } from "./session.js";

const ALONE =
  "What a client has changed in its session, answered or declared at length, one process alone knows. " +
  "If there are several, give them a `store`.";

/**
 * The sessions that one endpoint knows: bounded in number and in idle time. Where ids carry what was agreed, they are
 * taken up again, here and in other processes. `replicas/store-http-sessions.ts` has those that are in a store as well.
 */
export class HttpSessions {
  protected readonly server: SessionServer;
  /** By id, the one unused for longest first. */
  protected readonly byId = new Map<string, HttpSession>();
  /** Those that clients have ended although their ids can still be opened, the first to end first. */
  readonly #ended = new Set<string>();
  #hasWarned = false;

  constructor(server: SessionServer) {
    this.server = server;
  }

  get size(): number {
    return this.byId.size;
  }

  /** A session for a client that is about to open one, or has opened it before. */
  create(principal: Principal | undefined, agreement?: Agreement): HttpSession {
    return new HttpSession(
      this.server,
      principal,
      (session, change) => this.remember(session, change),
      agreement,
    );
  }

  /**
   * Lists a session that its client has opened, under an id that it gets here.
   *
   * @throws ProtocolError when all places are taken, and none by a session that is idle
   */
  add(session: HttpSession, opened: Agreement): HttpSession | Promise<HttpSession> {
    const { sessionIdCipher, limits } = this.server;
    const encrypted = sessionIdCipher?.encrypt(opened, session.principal);
    if (encrypted === undefined) return this.addOpaque(session, opened);
    return this.list(session, encrypted, { ...opened, idExpires: opened.openedAt + limits.sessionMs });
  }

  /**
   * The session of that id, which for anybody but its principal does not exist.
   *
   * @throws ProtocolError when it could be, but there is no place for it
   */
  find(
    id: string,
    principal: Principal | undefined,
  ): HttpSession | undefined | Promise<HttpSession | undefined> {
    const known = this.byId.get(id);
    if (known === undefined) {
      const carried = this.server.sessionIdCipher?.decrypt(id, principal);
      return carried && this.#ended.has(carried.id) ? undefined : this.takeUp(id, principal, carried);
    }
    const { idExpires = Infinity } = known.agreement as Agreement;
    const isTheirs = bindingOf(known.principal) === bindingOf(principal);
    return isTheirs && Date.now() <= idExpires ? known : undefined;
  }

  /** The session has just been used. One that has ended stays so. */
  touch(session: HttpSession): void {
    session.lastUsed = Date.now();
    if (this.byId.delete(session.id)) this.byId.set(session.id, session);
  }

  /** Ends a session for its client, wherever it is known. */
  end(session: HttpSession): Promise<void> | undefined {
    this.warnIfCarried(session);
    this.conclude(session);
    return undefined;
  }

  /** Passes on a message that may concern other processes; a promise where that has to come first. */
  relay(session: HttpSession, message: unknown): Promise<void> | undefined {
    const { id, method } = Object(message) as { id?: unknown; method?: unknown };
    const question = method === undefined ? String(id) : "";
    // An answer to another process.
    const { processId = "" } = this.server;
    if (question.startsWith("tenon-") && !question.includes(processId)) this.warnIfCarried(session);
    return undefined;
  }

  /** Ends what this process has of a session, be it listed or not. Others may go on with it. */
  forget(session: HttpSession): void {
    this.byId.delete(session.id);
    session.onForget?.();
    session.connection.close("The session has ended.");
    session.streams?.end();
  }

  /** Forgets at most so many idle sessions that were last used before a time; false when there is none. */
  forgetIdle(before: number, most = Infinity): boolean {
    let forgotten = 0;
    for (const session of this.byId.values()) {
      if (forgotten >= most || session.lastUsed > before) break;
      if (session.isBusy) continue;
      this.forget(session);
      forgotten++;
    }
    return forgotten > 0;
  }

  keepAlive(): void {
    for (const { streams } of this.byId.values()) streams?.keepAlive();
  }

  forgetAll(): void {
    for (const session of this.byId.values()) this.forget(session);
  }

  /** Lists a session under an id that carries nothing. */
  protected addOpaque(session: HttpSession, opened: Agreement): HttpSession | Promise<HttpSession> {
    if (this.server.sessionIdCipher !== undefined) this.#warn();
    return this.list(session, globalThis.crypto.randomUUID(), opened);
  }

  /** A session that this process does not know. @param carried what its id carries */
  protected takeUp(
    id: string,
    principal: Principal | undefined,
    carried: Agreement | undefined,
  ): HttpSession | undefined | Promise<HttpSession | undefined> {
    return carried && this.list(this.create(principal, carried), id, carried);
  }

  /** Takes what the client has changed. */
  protected remember(session: HttpSession, _change: SessionChange): Promise<void> | undefined {
    this.warnIfCarried(session);
    return undefined;
  }

  protected list(session: HttpSession, id: string, agreement: Agreement): HttpSession {
    // When all places are taken, the one idle for longest makes room.
    if (this.byId.size >= this.server.limits.sessions && !this.forgetIdle(Infinity, 1)) {
      this.forget(session);
      throw new TooManySessions();
    }
    session.id = id;
    session.agreement = agreement;
    this.byId.set(id, session);
    this.touch(session);
    return session;
  }

  /** Forgets a session that is over, whatever its id says. */
  protected conclude(session: HttpSession): void {
    const { id, idExpires } = session.agreement as Agreement;
    if (idExpires !== undefined) this.#ended.add(id);
    const [first = ""] = this.#ended;
    if (this.#ended.size > this.server.limits.sessions) this.#ended.delete(first);
    this.forget(session);
  }

  protected warnIfCarried({ agreement }: HttpSession): void {
    if (agreement?.idExpires !== undefined) this.#warn();
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.server.log({ level: "warn", event: "warning", msg: ALONE });
  }
}
