import type { Params, RequestId } from "../protocol/jsonrpc.js";
import type { Revision } from "../protocol/revisions.js";
import type { ClientDescription } from "../protocol/client-description.js";
import type { CallNotes } from "./call-notes.js";
import type { Session } from "./session.js";
import type { RecordedCall } from "./recorded-call.js";
import type { Answer, Peer } from "../transports/transport.js";

/** One request being served. Costly parts come into being when somebody asks for them. */
export class Call {
  /** Kept where somebody observes calls. */
  notes: CallNotes | undefined;
  /** Served before, by a process that died: how often its caller may call has been seen to then. */
  isAgain = false;
  /** Set where another process may go on with it. */
  recorded: RecordedCall | undefined;
  #cancelled = false;
  #done = false;
  #abandon: ((answer?: Answer) => void) | undefined;
  #onFinish: (() => void)[] | undefined;
  #onRootsChanged: Set<() => void | Promise<void>> | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(
    /** What lasts beyond the request. */
    readonly session: Session,
    readonly id: RequestId,
    readonly method: string,
    readonly params: Params,
    readonly revision: Revision,
    readonly client: ClientDescription,
    /** The peer as it is for this request: where messages about it go, and on whose behalf it was sent. */
    readonly peer: Peer,
  ) {}

  /** The client no longer waits for an answer. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Its handler was told to stop. */
  get stopped(): boolean {
    return this.#reason !== undefined;
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
    for (const listener of this.#onFinish?.splice(0) ?? []) listener();
  }

  /** Calls back when the answer, which is owed later, is given or given up. */
  onFinish(listener: () => void): void {
    (this.#onFinish ??= []).push(listener);
  }

  /** Calls back when the answer, which is owed later, is given up, with the one to give instead, if there is any. */
  onAbandon(listener: (answer?: Answer) => void): void {
    this.#abandon = listener;
  }

  /** Calls back when the client says that its roots changed. Returns a function that stops it. */
  onRootsChanged(listener: () => void | Promise<void>): () => void {
    const listeners = (this.#onRootsChanged ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** The client says that its roots changed. Rejects with what a listener throws. */
  async rootsChanged(): Promise<void> {
    await Promise.all(Array.from(this.#onRootsChanged ?? [], async (listener) => listener()));
  }

  /**
   * Tells the handler to stop; the answer is given all the same.
   *
   * @param name that of the error which handlers see
   */
  leave(reason: string, name = "AbortError"): void {
    if (!this.#cancelled) this.#stop(reason, name);
  }

  /**
   * Tells the handler to stop and gives up its answer.
   *
   * @param name that of the error which handlers see
   * @param answer what the client gets instead; nothing unless given
   */
  cancel(reason: string, name = "AbortError", answer?: Answer): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#stop(reason, name);
    this.#abandon?.(answer);
  }

  #stop(reason: string, name: string): void {
    this.#done = true;
    this.#reason = new DOMException(reason, name);
    this.#controller?.abort(this.#reason);
  }
}
