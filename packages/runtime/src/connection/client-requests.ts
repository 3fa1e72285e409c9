import { durationText } from "../explain/duration-text.js";
import { ToolError } from "../api/errors.js";
import type { MessageSink } from "../transports/transport.js";
import { isObject, notificationText, type RequestId, requestText } from "../protocol/jsonrpc.js";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** The requests of this server to one legacy client that wait for an answer. */
export class ClientRequests {
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #nextId: () => string;
  #ended: string | undefined;

  /** @param nextId where several processes may ask one client: makes ids that none of the others makes */
  constructor(nextId = countedIds("tenon")) {
    this.#nextId = nextId;
  }

  /** How many answers are waited for. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param signal gives up, and tells the client so
   * @throws ToolError when the client refuses, does not answer in time or can answer no more
   */
  send(
    sink: MessageSink,
    method: string,
    params: object,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(new ToolError(this.#ended));
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const id = this.#nextId();
    return new Promise((resolve, reject) => {
      const giveUp = (error: unknown, reason: string): void => {
        if (!this.#waiting.has(id)) return;
        settle(() => reject(error as Error));
        if (this.#ended === undefined) {
          sink.send(notificationText("notifications/cancelled", { requestId: id, reason }));
        }
      };
      const onAbort = (): void => giveUp(signal.reason, "The call that asked was cancelled.");
      const timer = setTimeout(() => {
        const message = `The client did not answer within ${durationText(timeoutMs)}.`;
        giveUp(new ToolError(message), "No answer came in time.");
      }, timeoutMs);
      const settle = (how: () => void): void => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        how();
      };
      this.#waiting.set(id, {
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (error) => settle(() => reject(error as Error)),
      });
      signal.addEventListener("abort", onAbort);
      sink.send(requestText(id, method, params));
    });
  }

  /** Takes an answer; one that nobody waits for is left alone. */
  settle(id: RequestId, answer: { result?: unknown; error?: unknown }): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (answer.error === undefined) return waiting.resolve(answer.result);
    const { message } = isObject(answer.error) ? answer.error : {};
    const words = typeof message === "string" ? message.slice(0, 500) : "no reason given";
    waiting.reject(new ToolError(`The client refused to answer: ${words}`));
  }

  /** Nothing can be answered any more. */
  end(reason: string): void {
    this.#ended ??= reason;
    for (const waiting of [...this.#waiting.values()]) waiting.reject(new ToolError(reason));
  }
}

/** Makes ids `<prefix>-1`, `<prefix>-2` and so on. */
export function countedIds(prefix: string): () => string {
  let next = 1;
  return () => `${prefix}-${next++}`;
}
