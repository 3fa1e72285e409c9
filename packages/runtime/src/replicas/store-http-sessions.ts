import type { Principal } from "../api/caller.js";
import type { Agreement, SessionChange, SessionState } from "../protocol/agreement.js";
import type { HttpSession, SessionServer } from "../transports/http/sessions/session.js";
import { HttpSessions } from "../transports/http/sessions/sessions.js";
import type { FoundSession, SessionCopy, StoreSessions } from "./store-sessions.js";

/** How often the store is told at least that a session is in use, as a share of the time after which it ends. */
const EXTENSIONS_PER_IDLE_TIME = 4;

/** The sessions that one endpoint knows, of those that are in a store. */
export class StoreHttpSessions extends HttpSessions {
  readonly #stored: StoreSessions;
  readonly #copies = new WeakMap<HttpSession, Copy>();

  constructor(server: SessionServer, stored: StoreSessions) {
    super(server);
    this.#stored = stored;
  }

  override find(
    id: string,
    principal: Principal | undefined,
  ): HttpSession | undefined | Promise<HttpSession | undefined> {
    const found = super.find(id, principal);
    if (found === undefined || found instanceof Promise) return found;
    const copy = this.#copyOf(found);
    if (!copy.isStale) return found;
    const carried = copy.agreement.idExpires === undefined ? undefined : copy.agreement;
    copy.asking ??= this.takeUp(id, principal, carried).finally(() => {
      copy.asking = undefined;
    });
    // Nobody may wait for it, and the log has what is wrong.
    copy.asking.catch(() => {});
    // A session that is known goes on while the store cannot be asked, and waits for it no more than once.
    return copy.isOnItsOwn ? found : copy.asking;
  }

  override touch(session: HttpSession): void {
    super.touch(session);
    this.#extend(session);
  }

  /** Rejects when the store cannot be asked; then the session goes on. */
  override async end(session: HttpSession): Promise<void> {
    await this.#stored.end(agreementOf(session));
    this.conclude(session);
  }

  override relay(session: HttpSession, message: unknown): Promise<void> | undefined {
    return this.#stored.relay(agreementOf(session), message);
  }

  override keepAlive(): void {
    super.keepAlive();
    for (const session of this.byId.values()) if (session.isBusy) this.#extend(session);
  }

  protected override async addOpaque(session: HttpSession, opened: Agreement): Promise<HttpSession> {
    try {
      return this.list(session, await this.#stored.open(opened, session.principal), opened);
    } catch (error) {
      this.forget(session);
      throw error;
    }
  }

  protected override async takeUp(
    id: string,
    principal: Principal | undefined,
    carried: Agreement | undefined,
  ): Promise<HttpSession | undefined> {
    let found: FoundSession | undefined;
    try {
      found = await this.#stored.find(id, principal, carried);
    } catch (error) {
      const known = this.byId.get(id);
      if (known === undefined) throw error;
      this.#copyOf(known).isOnItsOwn = true;
      return known;
    }
    // Another request may have brought it in the meantime.
    const known = this.byId.get(id);
    if (found === undefined) {
      if (known !== undefined) this.forget(known);
      return undefined;
    }
    const { agreement, state, isStale } = found;
    const session = known ?? this.list(this.create(principal, agreement), id, agreement);
    const copy = this.#copyOf(session);
    copy.isStale = isStale;
    copy.isOnItsOwn = isStale;
    if (!isStale) session.connection.restore(state);
    return session;
  }

  protected override remember(session: HttpSession, change: SessionChange): Promise<void> {
    return this.#stored.remember(agreementOf(session), change);
  }

  protected override list(session: HttpSession, id: string, agreement: Agreement): HttpSession {
    const copy = new Copy(session, agreement, () => this.forget(session));
    this.#copies.set(session, copy);
    super.list(session, id, agreement);
    session.onForget = this.#stored.attach(copy);
    return session;
  }

  /** One that is over is not listed, and needs no copy. */
  #extend(session: HttpSession): void {
    const copy = this.#copies.get(session);
    const now = Date.now();
    const { sessionIdleMs } = this.server.limits;
    if (copy === undefined || now - copy.lastExtended < sessionIdleMs / EXTENSIONS_PER_IDLE_TIME) return;
    copy.lastExtended = now;
    this.#stored.extend(copy.agreement);
  }

  #copyOf(session: HttpSession): Copy {
    return this.#copies.get(session) as Copy;
  }
}

class Copy implements SessionCopy {
  isStale = false;
  /** The store could not be asked when it was last tried. */
  isOnItsOwn = false;
  asking: Promise<HttpSession | undefined> | undefined;
  lastExtended = Date.now();
  readonly #session: HttpSession;

  constructor(
    session: HttpSession,
    readonly agreement: Agreement,
    readonly end: () => void,
  ) {
    this.#session = session;
  }

  restore(state: SessionState): void {
    this.#session.connection.restore(state);
  }

  receive(message: unknown): void {
    void this.#session.connection.receive(message);
  }
}

function agreementOf({ agreement }: HttpSession): Agreement {
  if (agreement === undefined) throw new Error("The session is not listed.");
  return agreement;
}
