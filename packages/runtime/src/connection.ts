import type { ClientRequests } from "./ask/client-requests.js";
import { Call, type Caller, type Outlet } from "./call.js";
import type { Limits } from "./define-server.js";
import { isProtocolError, ProtocolError } from "./errors.js";
import type { HeaderReader } from "./headers.js";
import {
  classify,
  ErrorCode,
  errorText,
  exceededBound,
  isObject,
  type Params,
  type RequestId,
  resultText,
} from "./jsonrpc.js";
import { admit, isModern, methodNotFound } from "./modern.js";
import type { Notify } from "./notifier.js";
import type { LoggingLevel } from "./protocol.js";
import { LATEST, LATEST_LEGACY, type Revision } from "./revisions.js";

/** What a transport sends back for one message (or batch). */
export interface Answer {
  /** JSON text, without a newline. */
  readonly text: string;
  /** The status with which Streamable HTTP carries it. */
  readonly status: number;
}

/** An answer, at once where possible; `undefined` when none is owed. */
export type Reply = Answer | undefined | Promise<Answer | undefined>;

/** The far end of a connection. */
export interface Peer {
  /** Sends a message that belongs to no request, given as JSON text. */
  send(text: string): void;
  /** The peer is the server's author, who may read what went wrong inside handlers. */
  readonly exposesErrors?: boolean;
  /** The conversation is over when its messages are answered, so nothing can be sent to the peer later. */
  readonly isBrief?: boolean;
  /** On whose behalf the peer speaks, where that is known. */
  readonly principal?: string | undefined;
}

/** What a connection needs of its server. */
export interface Dispatcher {
  readonly limits: Limits;
  readonly notify: Notify;
  dispatch(call: Call): string | Promise<string>;
  /** @throws ProtocolError when headers that repeat arguments disagree with them. */
  checkHeaderParameters(params: Params, header: HeaderReader): void;
  explain(error: unknown, subject: string, call?: Call): string;
  /**
   * The result of a call that took longer than the limits allow.
   *
   * @throws ProtocolError where such a failure is no result.
   */
  expire(call: Call): string;
}

const NOBODY: Caller = Object.freeze({ capabilities: Object.freeze({}) });

/**
 * The conversation with one peer, whatever carries it: what a legacy client said when it opened, and the
 * requests in progress. Modern requests need nothing of it but a place to be cancelled from, so both eras may
 * be spoken on one connection.
 */
export class Connection {
  readonly exposesErrors: boolean;
  readonly isBrief: boolean;
  readonly principal: string | undefined;
  /** What a legacy client has been asked, once it has been asked something. */
  requests: ClientRequests | undefined;
  /** Why the client can answer no more, once that is so. */
  ended: string | undefined;
  /** Ends one by one the requests that last until somebody ends them, such as subscriptions. */
  readonly standing = new Set<() => void>();
  readonly #server: Dispatcher;
  readonly #outlet: Outlet;
  readonly #inFlight = new Map<RequestId, Call>();
  readonly #onClose: (() => void)[];
  #revision: Revision | undefined;
  #caller: Caller = NOBODY;

  constructor(server: Dispatcher, peer: Peer, onClose?: () => void) {
    this.#server = server;
    this.#outlet = { notify: (text) => peer.send(text) };
    this.#onClose = onClose === undefined ? [] : [onClose];
    this.exposesErrors = peer.exposesErrors === true;
    this.principal = peer.principal;
    this.isBrief = peer.isBrief === true;
  }

  /** How handlers say that something changed. */
  get notify(): Notify {
    return this.#server.notify;
  }

  /** What a legacy client and this server agreed on, once they have. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** How many requests are owed an answer. */
  get pending(): number {
    return this.#inFlight.size;
  }

  /**
   * Takes one parsed message, or a batch. Never throws and never rejects: whatever is wrong becomes an answer.
   *
   * @param outlet Where notifications about a request go; the peer itself when absent.
   * @param header The headers that came with the message, where the transport has any.
   */
  receive(value: unknown, outlet: Outlet = this.#outlet, header?: HeaderReader): Reply {
    if (Array.isArray(value)) return this.#receiveBatch(value, outlet);
    return this.#receiveOne(value, outlet, header);
  }

  /** The answer to text that is no JSON at all. */
  refuseText(problem: string): Answer {
    return { text: errorText(this.#unreadableId, ErrorCode.ParseError, problem), status: 400 };
  }

  /** The answer to a message refused as a whole, such as one that is too long. */
  refuse(problem: string, status = 400): Answer {
    return { text: errorText(this.#unreadableId, ErrorCode.InvalidRequest, problem), status };
  }

  /** Remembers what a legacy client said of itself. */
  begin(revision: Revision, caller: Caller): void {
    this.#revision = revision;
    this.#caller = caller;
  }

  /** Sets the least severe log messages that a legacy client wants. */
  setLogLevel(logLevel: LoggingLevel): void {
    this.#caller = { ...this.#caller, logLevel };
  }

  /** Sends a message that belongs to no request. */
  push(text: string): void {
    this.#outlet.notify(text);
  }

  /** Calls back when the connection is closed. */
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  /** Ends what would otherwise last for ever, since the peer says nothing more: standing requests and questions. */
  finish(): void {
    this.#endRequests("The client can answer no more.");
    for (const end of [...this.standing]) end();
  }

  /** Tells the handlers still at work to stop and gives up their answers. */
  close(reason = "The connection was closed."): void {
    this.#endRequests(reason);
    const calls = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const call of calls) call.cancel(reason);
    for (const listener of this.#onClose.splice(0)) listener();
  }

  #endRequests(reason: string): void {
    this.ended ??= reason;
    this.requests?.end(reason);
  }

  get #unreadableId(): null | undefined {
    return (this.#revision ?? LATEST).unreadableId;
  }

  #receiveOne(value: unknown, outlet: Outlet, header?: HeaderReader): Reply {
    const message = classify(value);
    switch (message.kind) {
      case "request":
        return this.#serve(message.id, message.method, message.params, outlet, header);
      case "notification":
        this.#note(message.method, message.params);
        return undefined;
      case "invalid": {
        const id = message.id ?? this.#unreadableId;
        return { text: errorText(id, message.code, message.problem), status: 400 };
      }
      case "response":
        this.requests?.settle(message.id, message);
        return undefined;
      default:
        return undefined;
    }
  }

  #serve(id: RequestId, method: string, params: Params, outlet: Outlet, header?: HeaderReader): Reply {
    try {
      const { limits } = this.#server;
      const exceeded = exceededBound(params, limits);
      if (exceeded !== undefined) {
        const problem = exceeded === "depth" ? "is nested too deep" : "holds too many values";
        const message = `The message ${problem} (limit ${limits[exceeded]}).`;
        throw new ProtocolError(ErrorCode.InvalidRequest, message, undefined, 400);
      }
      // Two answers under one id could not be told apart, and neither could what is to be cancelled.
      if (this.#inFlight.has(id)) {
        const message = "A request with this id is still in progress; each needs an id of its own.";
        throw new ProtocolError(ErrorCode.InvalidRequest, message, undefined, 400);
      }
      const call = this.#open(id, method, params, outlet, header);
      // What costs nothing is answered even then, so that a busy connection can be seen to be alive.
      if (this.#inFlight.size - this.standing.size >= this.#server.limits.calls && method !== "ping") {
        const message = "Too many requests are in progress on this connection.";
        throw new ProtocolError(ErrorCode.InternalError, message, undefined, 503);
      }
      const result = this.#server.dispatch(call);
      if (typeof result === "string") {
        call.done = true;
        return { text: resultText(id, result), status: 200 };
      }
      return this.#await(call, result);
    } catch (error) {
      return this.#failure(id, method, error);
    }
  }

  #open(id: RequestId, method: string, params: Params, outlet: Outlet, header?: HeaderReader): Call {
    if (isModern(method, params, header)) {
      const { revision, caller } = admit(method, params, header);
      if (header !== undefined && method === "tools/call") this.#server.checkHeaderParameters(params, header);
      return new Call(this, id, method, params, revision, caller, outlet);
    }
    // Before the handshake a client has agreed to nothing, so it is served the newest form it could ask for.
    const revision = this.#revision ?? LATEST_LEGACY;
    if (!revision.methods.has(method)) throw methodNotFound(method, 200);
    return new Call(this, id, method, params, revision, this.#caller, outlet);
  }

  /** Owes an answer until the handler is done or the call is cancelled, whichever is first. */
  #await(call: Call, result: Promise<string>): Promise<Answer | undefined> {
    this.#inFlight.set(call.id, call);
    return new Promise((resolve) => {
      const deadline = this.#deadline(call, (answer) => {
        settle(answer);
        call.cancel("The call took too long.", "TimeoutError");
      });
      const settle = (answer: Answer | undefined): void => {
        clearTimeout(deadline);
        if (this.#inFlight.get(call.id) === call) this.#inFlight.delete(call.id);
        call.done = true;
        call.abandon = undefined;
        resolve(answer);
      };
      call.abandon = () => settle(undefined);
      result.then(
        (text) => settle({ text: resultText(call.id, text), status: 200 }),
        (error: unknown) => {
          // What a handler throws because it was told to stop is nobody's news.
          if (!call.cancelled) settle(this.#failure(call.id, call.method, error));
        },
      );
    });
  }

  /** Gives an answer in place of a handler that takes too long. */
  #deadline(call: Call, onExpiry: (answer: Answer) => void): NodeJS.Timeout | undefined {
    const { callMs } = this.#server.limits;
    if (callMs === 0 || call.method === "subscriptions/listen") return undefined;
    return setTimeout(() => {
      try {
        onExpiry({ text: resultText(call.id, this.#server.expire(call)), status: 200 });
      } catch (error) {
        onExpiry(this.#failure(call.id, call.method, error));
      }
    }, callMs);
  }

  #failure(id: RequestId, method: string, error: unknown): Answer {
    if (isProtocolError(error)) {
      return { text: errorText(id, error.code, error.message, error.data), status: error.status };
    }
    const message = this.#server.explain(error, `request "${method.slice(0, 128)}"`);
    return { text: errorText(id, ErrorCode.InternalError, message), status: 200 };
  }

  #note(method: string, params: Params): void {
    if (method !== "notifications/cancelled") return;
    const { requestId, reason } = params;
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    const call = this.#inFlight.get(requestId);
    call?.cancel(typeof reason === "string" ? reason : "The client cancelled the request.");
  }

  #receiveBatch(messages: readonly unknown[], outlet: Outlet): Reply {
    const revision = this.#revision;
    if (revision?.batches !== true) {
      return this.refuse("Batches are not part of this protocol version; send one message at a time.");
    }
    if (messages.length === 0) return this.refuse("A batch must hold at least one message.");
    if (messages.length > this.#server.limits.batchMessages) {
      return this.refuse(`A batch may hold at most ${this.#server.limits.batchMessages} messages.`);
    }
    return this.#answerBatch(messages, outlet);
  }

  async #answerBatch(messages: readonly unknown[], outlet: Outlet): Promise<Answer | undefined> {
    const answers = await Promise.all(
      messages.map((message) =>
        isObject(message) && message.method === "initialize"
          ? this.#refuseInBatch(message)
          : this.#receiveOne(message, outlet),
      ),
    );
    const texts = answers.flatMap((answer) => (answer === undefined ? [] : [answer.text]));
    return texts.length === 0 ? undefined : { text: `[${texts.join(",")}]`, status: 200 };
  }

  #refuseInBatch(message: Record<string, unknown>): Answer | undefined {
    const described = classify(message);
    if (described.kind !== "request") return undefined;
    const problem = "`initialize` must not be part of a batch.";
    return { text: errorText(described.id, ErrorCode.InvalidRequest, problem), status: 400 };
  }
}
