import type { Principal } from "../../../api/caller.js";
import { getBinding } from "../../../access/principal.js";
import type { Agreement, SessionChange } from "../../../protocol/agreement.js";
import type { Peer, TransportConnection } from "../../transport.js";
import type { Limits } from "../../../api/limits.js";
import type { LogSink } from "../../../api/log.js";
import type { Implementation } from "../../../protocol/specification.js";
import type { SessionDirectory } from "./session-directory.js";
import { MemorySessionStreams, type SessionStreams, type SharedStreams } from "./session-streams.js";

/** The parts of a server that sessions need. */
export interface SessionServer {
  readonly limits: Limits;
  readonly log: LogSink;
  readonly sendsMessages: boolean;
  readonly info: Implementation;
  /** The keys that encrypt session IDs. Absent if no other process has them. */
  readonly stateKeys: string | undefined;
  /** Identifies this process among those that may serve its sessions. Absent in a single-process server. */
  readonly processId: string | undefined;
  /** The sessions of all processes. Absent if processes share nothing but IDs. */
  readonly sessionDirectory: SessionDirectory | undefined;
  /** The streams of sessions, if other processes can continue them. */
  readonly sharedStreams: SharedStreams | undefined;
  /** @param options.agreement the agreement, if the session was opened before */
  connect(peer: Peer, options: { agreement?: Agreement | undefined }): TransportConnection;
}

/** The session of one legacy client in this process. */
export class HttpSession {
  /** The ID that the client sends. Empty until the session is listed. */
  id = "";
  /** The agreement. Undefined until the session is listed. */
  agreement: Agreement | undefined;
  readonly connection: TransportConnection;
  /** Identifies the caller. Empty for anonymous callers. */
  readonly owner: string;
  /** Absent if the server sends only responses. */
  readonly streams: SessionStreams | undefined;
  /** The number of requests in progress. */
  active = 0;
  lastUsed = 0;
  /** Whether other processes may have changed the session since it was last read. */
  isStale = false;
  /** Whether the store was unreachable at the last lookup. */
  wasStoreUnreachable = false;
  /** The lookup in progress, if there is one. */
  lookUp: Promise<HttpSession | undefined> | undefined;
  /** The time when the store last extended the session, in milliseconds since 1970. */
  lastExtended = 0;
  /** Called after this process has forgotten the session. */
  onForget: (() => void) | undefined;
  /** The caller with its newest token. Notifications concern only what this principal may read. */
  principal: Principal | undefined;
  /** The principal that all processes of the session know. Undefined if some of them may know a different one. */
  sharedPrincipal: Principal | undefined;
  readonly #peer: Peer;

  /**
   * @param remember stores the client's changes after it has opened the session
   * @param agreement the agreement, if the session was opened before
   */
  constructor(
    server: SessionServer,
    principal: Principal | undefined,
    remember: (session: HttpSession, change: SessionChange) => Promise<void> | undefined,
    agreement?: Agreement,
  ) {
    const { sendsMessages, sharedStreams, limits } = server;
    this.owner = getBinding(principal);
    this.principal = principal;
    const getPrincipal = (): Principal | undefined => this.principal;
    if (sendsMessages) {
      this.streams = sharedStreams?.getStreams(this) ?? new MemorySessionStreams(this, limits.maxReplayBytes);
    }
    const { streams } = this;
    this.#peer = {
      get principal() {
        return getPrincipal();
      },
      send: (text) => streams?.send(text),
      remember: (change) => remember(this, change),
      ...(streams?.setChangeFilter && { setChangeFilter: (filter) => streams.setChangeFilter?.(filter) }),
    };
    this.connection = server.connect(this.#peer, { agreement });
  }

  /** Receives a message that the client has sent to another process. */
  receive(message: unknown, principal: Principal | undefined): void {
    this.principal = principal;
    void this.connection.receive(message, this.#peer);
  }

  /** Whether requests are in progress, or the client listens. */
  get isBusy(): boolean {
    return this.active > 0 || this.streams?.isConnected === true;
  }
}
