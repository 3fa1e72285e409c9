import { formatDuration } from "../../data/explanations/format-duration.js";
import { ToolError } from "../../api/errors.js";
import type { MessageSink } from "../../transports/transport.js";
import { isObject, toNotificationText, type RequestId, toRequestText } from "../../protocol/jsonrpc.js";

interface PendingRequest {
  readonly scopes: readonly string[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface ClientRequestOptions {
  /** Stops waiting, and cancels the request at the client. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The scopes that the sender of the response needs. Default: none. */
  readonly scopes?: readonly string[] | undefined;
}

/** The requests of this server to one legacy client that wait for a response. */
export class ClientRequests {
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #nextId: () => string;
  #endReason: string | undefined;

  /** @param nextId creates IDs that no other process creates, if several serve one client */
  constructor(nextId = createIdCounter("tenon")) {
    this.#nextId = nextId;
  }

  /** The number of pending requests. */
  get size(): number {
    return this.#pending.size;
  }

  /**
   * Sends a request and waits for the response.
   *
   * @throws ToolError if the client rejects the request, does not respond in time, or has disconnected
   */
  send(
    sink: MessageSink,
    method: string,
    params: object,
    { signal, timeoutMs, scopes = [] }: ClientRequestOptions,
  ): Promise<unknown> {
    if (this.#endReason !== undefined) return Promise.reject(new ToolError(this.#endReason));
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const id = this.#nextId();
    return new Promise((resolve, reject) => {
      const giveUp = (error: unknown, reason: string): void => {
        if (!this.#pending.has(id)) return;
        settle(() => reject(error as Error));
        if (this.#endReason === undefined) {
          sink.send(toNotificationText("notifications/cancelled", { requestId: id, reason }));
        }
      };
      const onAbort = (): void => giveUp(signal.reason, "The call that sent the request was cancelled.");
      const timer = setTimeout(() => {
        const message = `The client did not respond within ${formatDuration(timeoutMs)}.`;
        giveUp(new ToolError(message), "No response arrived in time.");
      }, timeoutMs);
      const settle = (action: () => void): void => {
        this.#pending.delete(id);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        action();
      };
      this.#pending.set(id, {
        scopes,
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error as Error)),
      });
      signal.addEventListener("abort", onAbort);
      sink.send(toRequestText(id, method, params));
    });
  }

  /** Returns the scopes that the sender of a response needs. */
  getScopes(id: RequestId): readonly string[] {
    return this.#pending.get(id)?.scopes ?? [];
  }

  /** Settles the request that a response belongs to. Ignores a response to any other ID. */
  settle(id: RequestId, { result, error }: { result?: unknown; error?: unknown }): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (error === undefined) return pending.resolve(result);
    pending.reject(new ToolError(getRejectionMessage(error)));
  }

  /** Rejects all requests, now and later: the client can no longer respond. */
  end(reason: string): void {
    this.#endReason ??= reason;
    for (const pending of [...this.#pending.values()]) pending.reject(new ToolError(reason));
  }
}

/** Returns the message for an error with which a client responded. */
export function getRejectionMessage(error: unknown): string {
  const { message } = isObject(error) ? error : {};
  const reason = typeof message === "string" ? message.slice(0, 500) : "no reason given";
  return `The client rejected the request: ${reason}`;
}

/** Returns a function that creates the IDs `<prefix>-1`, `<prefix>-2`, and so on. */
export function createIdCounter(prefix: string): () => string {
  let next = 1;
  return () => `${prefix}-${next++}`;
}
