import type { Principal } from "../../../api/caller.js";
import type { Agreement, SessionChange } from "../../../protocol/agreement.js";
import { readPlainTextUse } from "../../../access/encryption/encryption.js";
import { getBinding, hasUsedShare, isSameToken } from "../../../access/principal.js";
import { TooManySessionsError } from "../exchange/rejection.js";
import { HttpSession, type SessionServer } from "./session.js";
import { createSessionIdCipher, type SessionIdCipher } from "./session-id-cipher.js";
import type { FoundSession, SessionDirectory } from "./session-directory.js";

const NOT_SHARED =
  "Only this process knows clients' answers, changes to their sessions, and declarations too long for a session ID. " +
  "For several processes, configure a `store`.";

/** Minimum number of times within the idle timeout that the store is notified that a session is in use. */
const MIN_EXTENSIONS_PER_IDLE_TIMEOUT = 4;

/**
 * The sessions of one endpoint: bounded in number and in idle time. Unknown sessions are found by the content of their
 * ID, and in the directory of all processes if there is one.
 */
export class HttpSessions {
  readonly #server: SessionServer;
  /** Encrypts agreements into session IDs. Absent if no other process has the keys to decrypt them. */
  readonly #cipher: SessionIdCipher | undefined;
  /** Whether new IDs are encrypted. While the first keys are introduced, processes without keys must find the session, too. */
  readonly #encryptsIds: boolean;
  /** Absent if other processes can know a session only by its ID. */
  readonly #directory: SessionDirectory | undefined;
  /** The sessions by ID, the least recently used first. */
  readonly #byId = new Map<string, HttpSession>();
  /** The sessions that clients have ended although their IDs are still valid, the oldest first. */
  readonly #ended = new Set<string>();
  #hasWarned = false;

  constructor(server: SessionServer) {
    this.#server = server;
    this.#cipher = createSessionIdCipher(server.stateKeys, server.info.name, server.limits.sessionLifetimeMs);
    this.#directory = server.sessionDirectory;
    this.#encryptsIds = this.#directory === undefined || !readPlainTextUse(server.stateKeys).isWritten;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Creates a session for a client that is about to open it, or has opened it before. */
  create(principal: Principal | undefined, agreement?: Agreement): HttpSession {
    return new HttpSession(
      this.#server,
      principal,
      (each, change) => this.#remember(each, change),
      agreement,
    );
  }

  /**
   * Lists a session that its client has opened, and assigns its ID.
   *
   * @throws ProtocolError if there are too many sessions and none is idle
   */
  add(session: HttpSession, opened: Agreement): HttpSession | Promise<HttpSession> {
    const { limits } = this.#server;
    session.sharedPrincipal = session.principal;
    const encrypted = this.#encryptsIds ? this.#cipher?.encrypt(opened, session.principal) : undefined;
    if (encrypted === undefined) return this.#addOpaque(session, opened);
    return this.#list(session, encrypted, {
      ...opened,
      idExpires: opened.openedAt + limits.sessionLifetimeMs,
    });
  }

  /**
   * Finds the session with an ID. For other principals it does not exist.
   *
   * @throws ProtocolError if there are too many sessions to add it
   */
  find(
    id: string,
    principal: Principal | undefined,
  ): HttpSession | undefined | Promise<HttpSession | undefined> {
    const known = this.#byId.get(id);
    if (known === undefined) {
      const decrypted = this.#cipher?.decrypt(id, principal);
      if (decrypted && this.#ended.has(decrypted.id)) return undefined;
      if (this.#directory !== undefined) return this.#lookUp(this.#directory, id, principal, decrypted);
      return decrypted && this.#list(this.create(principal, decrypted), id, decrypted);
    }
    const { idExpires } = getAgreement(known);
    if (known.owner !== getBinding(principal) || Date.now() > (idExpires ?? Infinity)) return undefined;
    if (!known.isStale || this.#directory === undefined) return known;
    const decrypted = idExpires === undefined ? undefined : getAgreement(known);
    known.lookUp ??= this.#lookUp(this.#directory, id, principal, decrypted).finally(() => {
      known.lookUp = undefined;
    });
    // Not every caller awaits it, and the log has the error.
    known.lookUp.catch(() => {});
    // A known session continues while the store is unreachable, and waits for it only once.
    return known.wasStoreUnreachable ? known : known.lookUp;
  }

  /** Records that the session was used. A session that has ended stays ended. */
  touch(session: HttpSession): void {
    session.lastUsed = Date.now();
    if (!this.#byId.delete(session.id)) return;
    this.#byId.set(session.id, session);
    this.#extend(session);
  }

  /** Ends a session for its client in all processes. Rejects if that cannot be stored; then the session continues. */
  end(session: HttpSession): Promise<void> | undefined {
    const ended = this.#directory?.end(getAgreement(session));
    if (ended !== undefined) return ended.then(() => this.#conclude(session));
    this.#warnIfIdIsEncrypted(session);
    this.#conclude(session);
    return undefined;
  }

  /** Records the principal of a request, and announces it to the other processes if its token is new. */
  setPrincipal(session: HttpSession, principal: Principal | undefined): void {
    session.principal = principal;
    if (this.#directory === undefined || principal === undefined) return;
    const { sharedPrincipal } = session;
    if (sharedPrincipal !== undefined && isSameToken(sharedPrincipal, principal)) return;
    session.sharedPrincipal = principal;
    this.#directory.announcePrincipal(getAgreement(session), principal);
  }

  /** Forwards a message that may concern other processes. Returns a promise if this process must wait for that. */
  relay(session: HttpSession, message: unknown): Promise<void> | undefined {
    if (this.#directory !== undefined)
      return this.#directory.relay(getAgreement(session), message, session.principal);
    const { id, method } = Object(message) as { id?: unknown; method?: unknown };
    const question = method === undefined && typeof id === "string" ? id : "";
    // An answer to a question of another process.
    const { processId = "" } = this.#server;
    if (question.startsWith("tenon-") && !question.includes(processId)) this.#warnIfIdIsEncrypted(session);
    return undefined;
  }

  /** Forgets a session in this process, listed or not. Others may continue it. */
  forget(session: HttpSession): void {
    this.#byId.delete(session.id);
    session.onForget?.();
    session.connection.close("The session has ended.");
    session.streams?.end();
  }

  /**
   * Forgets at most `max` idle sessions that were last used before a time, of all callers or of one.
   *
   * @returns false if there is none
   */
  forgetIdle(before: number, max = Infinity, owner?: string): boolean {
    let forgotten = 0;
    for (const session of this.#byId.values()) {
      if (forgotten >= max || session.lastUsed > before) break;
      if (session.isBusy || (owner ?? session.owner) !== session.owner) continue;
      this.forget(session);
      forgotten++;
    }
    return forgotten > 0;
  }

  keepAlive(): void {
    for (const session of this.#byId.values()) {
      session.streams?.keepAlive();
      if (session.isBusy) this.#extend(session);
    }
  }

  forgetAll(): void {
    for (const session of this.#byId.values()) this.forget(session);
  }

  /** Lists a session under a random ID. */
  #addOpaque(session: HttpSession, opened: Agreement): HttpSession | Promise<HttpSession> {
    if (this.#directory !== undefined) return this.#openShared(this.#directory, session, opened);
    if (this.#cipher !== undefined) this.#warn();
    return this.#list(session, globalThis.crypto.randomUUID(), opened);
  }

  async #openShared(
    directory: SessionDirectory,
    session: HttpSession,
    opened: Agreement,
  ): Promise<HttpSession> {
    try {
      return this.#list(session, await directory.open(opened, session.principal), opened);
    } catch (error) {
      this.forget(session);
      throw error;
    }
  }

  /**
   * Finds a session that this process does not know, or that may have changed.
   *
   * @param decrypted the content of the ID
   */
  async #lookUp(
    directory: SessionDirectory,
    id: string,
    principal: Principal | undefined,
    decrypted: Agreement | undefined,
  ): Promise<HttpSession | undefined> {
    let found: FoundSession | undefined;
    try {
      found = await directory.find(id, principal, decrypted);
    } catch (error) {
      const known = this.#byId.get(id);
      if (known === undefined) throw error;
      known.wasStoreUnreachable = true;
      return known;
    }
    // Another request may have added it meanwhile.
    const known = this.#byId.get(id);
    if (found === undefined) {
      if (known !== undefined) this.forget(known);
      return undefined;
    }
    const { agreement, state, isStale } = found;
    const session = known ?? this.#list(this.create(principal, agreement), id, agreement);
    session.isStale = isStale;
    session.wasStoreUnreachable = isStale;
    if (!isStale) session.connection.restore(state);
    return session;
  }

  /** Stores a change that the client made to its session. */
  #remember(session: HttpSession, change: SessionChange): Promise<void> | undefined {
    if (this.#directory !== undefined) return this.#directory.remember(getAgreement(session), change);
    this.#warnIfIdIsEncrypted(session);
    return undefined;
  }

  #list(session: HttpSession, id: string, agreement: Agreement): HttpSession {
    const { maxSessions } = this.#server.limits;
    const { owner } = session;
    const owners = this.size * 2 < maxSessions ? [] : [...this.#byId.values()].map((each) => each.owner);
    const isOwnerFull = hasUsedShare(owner, owners, maxSessions);
    // If there are too many sessions, evict the least recently used idle one. A caller does not displace others.
    const isFull = isOwnerFull || this.size >= maxSessions;
    if (isFull && !this.forgetIdle(Infinity, 1, isOwnerFull ? owner : undefined)) {
      this.forget(session);
      throw new TooManySessionsError();
    }
    session.id = id;
    session.agreement = agreement;
    this.#byId.set(id, session);
    session.lastExtended = Date.now();
    this.touch(session);
    session.onForget = this.#directory?.attach({
      agreement,
      restore: (state) => session.connection.restore(state),
      markStale: () => {
        session.isStale = true;
      },
      end: () => this.forget(session),
      setPrincipal: (principal) => {
        session.principal = session.sharedPrincipal = principal;
      },
      receive: (message, principal) => session.receive(message, principal),
    });
    return session;
  }

  #extend(session: HttpSession): void {
    const now = Date.now();
    const { sessionIdleTimeoutMs } = this.#server.limits;
    if (now - session.lastExtended < sessionIdleTimeoutMs / MIN_EXTENSIONS_PER_IDLE_TIMEOUT) return;
    session.lastExtended = now;
    this.#directory?.extend(getAgreement(session));
  }

  /** Forgets a session that has ended, even if its ID is still valid. */
  #conclude(session: HttpSession): void {
    const { id, idExpires } = getAgreement(session);
    if (idExpires !== undefined) this.#ended.add(id);
    const [first = ""] = this.#ended;
    if (this.#ended.size > this.#server.limits.maxSessions) this.#ended.delete(first);
    this.forget(session);
  }

  #warnIfIdIsEncrypted({ agreement }: HttpSession): void {
    if (agreement?.idExpires !== undefined) this.#warn();
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#server.log({ level: "warn", event: "warning", msg: NOT_SHARED });
  }
}

function getAgreement({ agreement }: HttpSession): Agreement {
  if (agreement === undefined) throw new Error("The session is not listed.");
  return agreement;
}
