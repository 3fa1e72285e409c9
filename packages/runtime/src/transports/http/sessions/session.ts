import type { Principal } from "../../../api/caller.js";
import type { Agreement, SessionChange } from "../../../protocol/agreement.js";
import type { Peer, TransportConnection } from "../../transport.js";
import type { Limits } from "../../../api/limits.js";
import type { LogSink } from "../../../api/log.js";
import type { SessionIdCipher } from "./session-id-cipher.js";
import { MemorySessionStreams, type SessionStreams, type SharedStreams } from "./session-streams.js";

/** What sessions need of their server. */
export interface SessionServer {
  readonly limits: Limits;
  readonly log: LogSink;
  readonly sendsMessages: boolean;
  /** Makes session ids of what was agreed, where other processes have the keys to open them. */
  readonly sessionIdCipher: SessionIdCipher | undefined;
  /** Tells this process from the others that may serve its sessions; absent where there are none. */
  readonly processId: string | undefined;
  /** The streams of sessions, where other processes go on with them. */
  readonly sharedStreams: SharedStreams | undefined;
  /** @param options.agreement what was agreed where the session was opened before */
  connect(peer: Peer, options: { agreement?: Agreement | undefined }): TransportConnection;
}

/** One legacy client's conversation across requests, as this process knows it. */
export class HttpSession {
  /** That by which the client names it, once it is listed. */
  id = "";
  /** What was agreed, once it is listed. */
  agreement: Agreement | undefined;
  readonly connection: TransportConnection;
  /** Absent where the server sends nothing but answers. */
  readonly streams: SessionStreams | undefined;
  /** Requests being answered. */
  active = 0;
  lastUsed = 0;
  /** Called once this process has nothing of it any more. */
  onForget: (() => void) | undefined;

  /**
   * @param remember takes what the client changes after it has opened the session
   * @param agreement where it was opened before
   */
  constructor(
    server: SessionServer,
    readonly principal: Principal | undefined,
    remember: (session: HttpSession, change: SessionChange) => Promise<void> | undefined,
    agreement?: Agreement,
  ) {
    const { sendsMessages, sharedStreams, limits } = server;
    if (sendsMessages) {
      this.streams = sharedStreams?.of(this) ?? new MemorySessionStreams(this, limits.replayBytes);
    }
    const { streams } = this;
    const peer: Peer = {
      principal,
      send: (text) => streams?.send(text),
      remember: (change) => remember(this, change),
      ...(streams?.takeChanges && { takeChanges: (filter) => streams.takeChanges?.(filter) }),
    };
    this.connection = server.connect(peer, { agreement });
  }

  /** Somebody is at work for its client, or listens. */
  get isBusy(): boolean {
    return this.active > 0 || this.streams?.isConnected === true;
  }
}
