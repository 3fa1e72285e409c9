import { getUnexpired } from "../access/principal.js";
import type { Principal } from "../api/caller.js";
import { toNotificationText, type RequestId, toRequestText } from "../protocol/jsonrpc.js";
import type { Server } from "../server.js";
import type { Peer, TransportConnection } from "../transports/transport.js";
import { toWellFormedJson } from "../protocol/well-formed.js";

/** JSON-RPC error that the client received. */
export class RpcError extends Error {
  override name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** Options of the client's end of an in-memory connection. */
export interface MemoryTransportOptions {
  /** Whether the server may show what its handlers throw. */
  isDevelopment: boolean;
  principal: Principal | undefined;
  address: string | undefined;
  /** Receives every message from the server. */
  onMessage: (message: Record<string, unknown>) => void;
  /** Receives requests and notifications from the server. */
  onCall: (method: string, params: Record<string, unknown>, id: RequestId | undefined) => void;
}

interface PendingRequest {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: unknown) => void;
}

/**
 * Transport between a client and a server in one process. Messages travel as text, as on any wire, so that the two
 * share no objects.
 */
export class MemoryTransport {
  readonly #connection: TransportConnection;
  readonly #peer: Peer;
  readonly #options: MemoryTransportOptions;
  readonly #pending = new Map<RequestId, PendingRequest>();
  #isClosed = false;

  constructor(server: Server, options: MemoryTransportOptions) {
    this.#options = options;
    const { isDevelopment, principal, address } = options;
    this.#peer = {
      send: (text) => this.#receive(text),
      get principal() {
        return getUnexpired(principal);
      },
      address,
    };
    this.#connection = server.connect(this.#peer, { isDevelopment });
  }

  /**
   * Sends a request and waits for its result.
   *
   * @param signal cancels the request
   * @returns the result
   * @throws RpcError if the server responds with an error
   * @throws Error after `close`
   */
  request(
    id: RequestId,
    method: string,
    params: object,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Error(`The client is closed. Call close() after ${method}.`);
      this.#pending.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => this.#cancel(id, signal.reason));
      this.send(toRequestText(id, method, params));
    });
  }

  /** Sends a message, given as JSON text. */
  send(text: string): void {
    void Promise.resolve(this.#connection.receive(JSON.parse(toWellFormedJson(text)), this.#peer)).then(
      (response) => {
        if (response !== undefined) this.#receive(response.text);
      },
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.close();
    for (const { reject } of this.#pending.values()) reject(new Error("The client was closed."));
    this.#pending.clear();
  }

  #cancel(id: RequestId, reason: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    this.send(toNotificationText("notifications/cancelled", { requestId: id, reason: String(reason) }));
    pending.reject(reason);
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Record<string, unknown>;
    const { id, method, params = {}, result } = message;
    this.#options.onMessage(message);
    if (typeof method === "string") {
      this.#options.onCall(method, params as Record<string, unknown>, id as RequestId | undefined);
      return;
    }
    const pending = this.#pending.get(id as RequestId);
    if (pending === undefined) return;
    this.#pending.delete(id as RequestId);
    const error = message.error as { code: number; message: string; data?: unknown } | undefined;
    if (error === undefined) pending.resolve(result as Record<string, unknown>);
    else pending.reject(new RpcError(error.code, error.message, error.data));
  }
}
