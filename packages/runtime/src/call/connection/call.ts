import type { Params, RequestId } from "../../protocol/jsonrpc.js";
import type { Revision } from "../../protocol/revisions.js";
import type { ClientDescription } from "../../protocol/client-description.js";
import type { InputRequester } from "../questions/question.js";
import type { CallServer } from "./call-server.js";
import type { Session } from "./session.js";
import type { EncodedResponse, Peer } from "../../transports/transport.js";
import type { JsonSchema } from "../../protocol/json-schema.js";

/** The time limit of a handler. */
export interface HandlerTime {
  /** Set after the time limit has passed. */
  expired?: Error;
  /** Functions that reject the promises waiting for the handler. */
  readonly waiting: Set<(error: Error) => void>;
}

/** One request being served. Costly parts are created on first use. */
export class Call {
  /** Absent if nothing observes calls. */
  notes: CallNotes | undefined;
  /** Whether the call was served before by a process that crashed. Rate limits counted it then. */
  isRecovered = false;
  /** Whether the client is the author, who may read what handlers throw. */
  isDevelopment: boolean;
  /** Set if another process can continue the call. */
  durable: DurableCall | undefined;
  /** The arguments of the handler, after they are read. */
  arguments: Record<string, unknown> | undefined;
  /** The schema of the arguments. Absent before the declaration is found. */
  argumentsSchema: JsonSchema | undefined;
  /** The tokens that were issued for the call. Absent if there are none. */
  issuedTokens: Set<string> | undefined;
  /** The scopes that the caller needs, including for answers to the handler's questions. Absent if it needs none. */
  scopes: readonly string[] | undefined;
  /** Sends the handler's questions to the client. Absent while the handler cannot ask. */
  inputRequester: InputRequester | undefined;
  /** Receives the progress of the handler after the call has become a task. */
  reportProgress: ((message: string) => void) | undefined;
  /** Turns the call into a task. Absent if the tool or the client has no tasks. */
  startTask: (() => void) | undefined;
  /** Like `startTask`, for a call that becomes a task before its handler is called. */
  startTaskImmediately: (() => void) | undefined;
  /** Ends the stream that the call keeps open. Absent if it keeps none open. */
  endStream: (() => void) | undefined;
  /** Absent if the handler has no time limit. */
  time: HandlerTime | undefined;
  #cancelled = false;
  #isDone = false;
  #abandon: ((response?: EncodedResponse) => void) | undefined;
  #onFinish: (() => void)[] | undefined;
  #onRootsChanged: Set<() => void | Promise<void>> | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(
    readonly server: CallServer,
    /** The state that outlives the request; absent for a stateless one. */
    readonly session: Session | undefined,
    readonly id: RequestId,
    readonly method: string,
    /** The parameters. In search mode, those of `call_tool` become those of the tool that it calls. */
    public params: Params,
    readonly revision: Revision,
    readonly client: ClientDescription,
    /** The peer for this request: where messages about it go, and on whose behalf it was sent. */
    readonly peer: Peer,
  ) {
    this.isDevelopment = session?.isDevelopment === true;
  }

  /** Whether the client no longer waits for a response. */
  get isCancelled(): boolean {
    return this.#cancelled;
  }

  /** Whether the handler's signal is aborted. */
  get isStopped(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether the response was sent or abandoned. Nothing more may be sent about this request. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Aborted when the client cancels, its connection ends, or the server shuts down. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Lists the secrets of the call, which neither logs nor observers may show: `@secret` arguments, and issued tokens. */
  listSecrets(): string[] {
    const { argumentsSchema: schema, issuedTokens = [] } = this;
    if (schema === undefined) return [...issuedTokens];
    const list = (given: unknown): string[] => this.server.listSecretTexts?.(schema, given) ?? [];
    return [...issuedTokens, ...list(this.params.arguments), ...list(this.arguments)];
  }

  /** Marks the call as done, just before its response is sent. */
  finish(): void {
    this.#isDone = true;
    this.#abandon = undefined;
    for (const listener of this.#onFinish?.splice(0) ?? []) listener();
  }

  /** Calls the listener when a pending response is sent or abandoned. */
  onFinish(listener: () => void): void {
    (this.#onFinish ??= []).push(listener);
  }

  /** Calls the listener when a pending response is abandoned, with the response to send instead, if there is one. */
  onAbandon(listener: (response?: EncodedResponse) => void): void {
    this.#abandon = listener;
  }

  /** Calls the listener when the client reports that its roots changed. Returns a function that removes the listener. */
  onRootsChanged(listener: () => void | Promise<void>): () => void {
    const listeners = (this.#onRootsChanged ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Calls the listeners for changes to the roots. Rejects with what a listener throws. */
  async notifyRootsChanged(): Promise<void> {
    await Promise.all(Array.from(this.#onRootsChanged ?? [], async (listener) => listener()));
  }

  /**
   * Aborts the handler's signal. The response is still sent.
   *
   * @param name the name of the error that handlers see
   */
  abort(reason: string, name = "AbortError"): void {
    if (!this.#cancelled) this.#stop(reason, name);
  }

  /**
   * Aborts the handler's signal and abandons its response.
   *
   * @param name the name of the error that handlers see
   * @param response the response to send instead. Default: none
   */
  cancel(reason: string, name = "AbortError", response?: EncodedResponse): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#stop(reason, name);
    this.#abandon?.(response);
  }

  #stop(reason: string, name: string): void {
    this.#isDone = true;
    this.#reason = new DOMException(reason, name);
    this.#controller?.abort(this.#reason);
  }
}

/** The parts of a call that decide whether its caller has scopes, and how the caller learns of missing ones. */
export type ScopedCall = Pick<Call, "peer" | "revision" | "client" | "method">;

/** The facts about a call that stages record for observers. */
export interface CallNotes {
  /** The declaration that the call reached. Without an entry, its arguments are those that the call may have meant. */
  target?:
    | {
        readonly entry?: { readonly definition: { readonly name: string } };
        readonly arguments?: { readonly schema: JsonSchema };
      }
    | undefined;
  /** Whether the handler has been called. */
  hasBegun?: boolean;
  /** The result that was built from the handler's value or failure. */
  result?: unknown;
  /** The reference of the call's internal error. */
  reference?: string;
  /** The outcome, if the response does not come from the handler. */
  outcome?: "task" | "timeout" | "rejected" | "failed";
}

/** A call that another process can continue. */
export interface DurableCall {
  /**
   * Stores the response, so that it is sent only once.
   *
   * @returns the response to send, or `undefined` if another process sends it
   */
  conclude(response: EncodedResponse | undefined): Promise<EncodedResponse | undefined>;
  /**
   * Lets another process continue the call, since this one is stopping.
   *
   * @param isUrgent true to do so even while the handler is working, and not only while it waits for its client
   * @returns true if another process continues, so that this one sends no response
   */
  handOver(isUrgent: boolean): boolean;
}
