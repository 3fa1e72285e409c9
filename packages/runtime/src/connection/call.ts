import type { Params, RequestId } from "../protocol/jsonrpc.js";
import type { Revision } from "../protocol/revisions.js";
import type { Caller } from "./caller.js";
import type { Session } from "./session.js";
import type { MessageSink } from "../transports/transport.js";

/** One request being served. Costly parts come into being when somebody asks for them. */
export class Call {
  #cancelled = false;
  #done = false;
  #abandon: (() => void) | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(
    /** What lasts beyond the request. */
    readonly session: Session,
    readonly id: RequestId,
    readonly method: string,
    readonly params: Params,
    readonly revision: Revision,
    readonly caller: Caller,
    /** Where messages about the request go, besides its answer. */
    readonly sink: MessageSink,
  ) {}

  /** The client no longer waits for an answer. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** The answer is given (or given up); nothing more may be sent about this request. */
  get done(): boolean {
    return this.#done;
  }

  /** Aborted when the client cancels, its connection ends, or the server shuts down. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** The answer is on its way. */
  finish(): void {
    this.#done = true;
    this.#abandon = undefined;
  }

  /** Calls back when the answer, which is owed later, is given up. */
  onAbandon(listener: () => void): void {
    this.#abandon = listener;
  }

  /** Tells a handler to stop whose run is over before it returned; the answer is given all the same. */
  leave(reason: string): void {
    if (!this.#cancelled) this.#stop(reason, "AbortError");
  }

  /** Tells the handler to stop and gives up the answer. `name` is that of the error which handlers see. */
  cancel(reason: string, name = "AbortError"): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#stop(reason, name);
    this.#abandon?.();
  }

  #stop(reason: string, name: string): void {
    this.#done = true;
    this.#reason = new DOMException(reason, name);
    this.#controller?.abort(this.#reason);
  }
}
