import type { Agreement, SessionState } from "../protocol/agreement.js";
import { batchProblem, joinReplies, memberProblem } from "./batch.js";
import { Call } from "./call.js";
import { Session } from "./session.js";
import type { SharedCalls } from "./shared-calls.js";
import type { Limits } from "../api/limits.js";
import { isProtocolError, ProtocolError, refusal } from "../api/errors.js";
import type { HeaderReader } from "../protocol/headers.js";
import * as ErrorCode from "../protocol/error-codes.js";
import {
  errorText,
  exceededBound,
  isObject,
  isRequestId,
  type Message,
  messageProblem,
  type Params,
  type RequestId,
  resultText,
} from "../protocol/jsonrpc.js";
import type { RefusalLog } from "../log/refusal-log.js";
import { validateModernRequest, isModern, readClient } from "./modern-request.js";
import type { Elicitations } from "./elicitations.js";
import type { LogSink } from "../api/log.js";
import type { Notify } from "../api/notifier.js";
import type { Answer, Peer, Reply, TransportConnection } from "../transports/transport.js";
import type { SanitizeText } from "../results/sanitize.js";
import { LATEST, LATEST_LEGACY, type Revision } from "../protocol/revisions.js";

/** What a connection needs of its server. */
export interface Dispatcher {
  readonly limits: Limits;
  readonly notify: Notify;
  readonly elicitations: Elicitations;
  dispatch(call: Call): string | Promise<string>;
  /** @throws ProtocolError when headers that repeat arguments of a tool disagree with them. */
  checkHeaderParameters(params: Params, header: HeaderReader): void;
  reportError(error: unknown, subject: string, call?: Call): string;
  /** Makes text fit to be shown. */
  readonly sanitize: SanitizeText;
  readonly log: LogSink;
  /** Subscribes a legacy client to these resources alone. */
  restoreSubscriptions(session: Session, uris: readonly string[]): void;
  /** Makes ids for what clients are asked, where sessions are served by several processes. */
  readonly requestId: (() => string) | undefined;
  /** Calls with which other processes can go on, where there are any. */
  readonly calls: SharedCalls | undefined;
  /** Takes note of what is refused. */
  readonly refusals: RefusalLog;
}

const NO_PARAMS: Params = Object.freeze({});

export interface ConnectionOptions {
  readonly peer: Peer;
  readonly isDevelopment: boolean;
  /** What was agreed where the session was opened in another process. */
  readonly agreement?: Agreement | undefined;
  /** Called when the connection is closed. */
  onClose(): void;
}

/** The conversation with one peer, whatever carries it: its session, and the requests in progress. */
export class Connection implements TransportConnection {
  readonly #server: Dispatcher;
  readonly session: Session;
  readonly #inFlight = new Map<RequestId, Call>();

  constructor(server: Dispatcher, { peer, isDevelopment, agreement, onClose }: ConnectionOptions) {
    this.#server = server;
    const { notify, elicitations, sanitize, log, requestId } = server;
    this.session = new Session({
      peer,
      notify,
      elicitations,
      sanitize,
      log,
      isDevelopment,
      agreement,
      requestId,
    });
    this.session.onClose(onClose);
  }

  get revision(): Revision | undefined {
    return this.session.revision;
  }

  get agreement(): Agreement | undefined {
    return this.session.agreement;
  }

  restore({ logLevel = "info", subscribed = [] }: SessionState): void {
    this.session.setLogLevel(logLevel);
    this.#server.restoreSubscriptions(this.session, subscribed);
  }

  receive(value: unknown, peer: Peer = this.session.peer): Reply {
    return Array.isArray(value) ? this.#receiveBatch(value, peer) : this.#receiveOne(value, peer);
  }

  refuseText(problem: string): Answer {
    return { text: errorText(this.#unreadableId, ErrorCode.ParseError, problem), status: 400 };
  }

  refuse(problem: string, status = 400, id: RequestId | null | undefined = this.#unreadableId): Answer {
    return { text: errorText(id, ErrorCode.InvalidRequest, problem), status };
  }

  #refuse(problem: string, peer: Peer, id?: RequestId | null): Answer {
    this.#reportRefusal(400, problem, peer);
    return this.refuse(problem, 400, id);
  }

  /** What comes over stdio has nobody to be told of who does not see the answer. */
  #reportRefusal(status: number, reason: string, { header, address, principal }: Peer): void {
    if (header !== undefined) this.#server.refusals.ofRequest({ status, reason, address, principal });
  }

  finish(): void {
    for (const call of [...this.#inFlight.values()]) call.recorded?.handOver(false);
    this.session.finish();
  }

  stop(reason: string): void {
    for (const call of [...this.#inFlight.values()]) {
      if (call.recorded?.handOver(true) !== true) call.leave(reason);
    }
  }

  abandon(reason: string): void {
    for (const [id, call] of [...this.#inFlight]) {
      call.cancel(reason, undefined, { text: errorText(id, ErrorCode.InternalError, reason), status: 200 });
    }
  }

  close(reason = "The connection was closed."): void {
    // First, so that handlers which wait for an answer do not ask the client to forget the question.
    this.session.requests.end(reason);
    const calls = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const call of calls) call.cancel(reason);
    this.session.close();
  }

  get #unreadableId(): null | undefined {
    return (this.revision ?? LATEST).unreadableId;
  }

  #receiveOne(value: unknown, peer: Peer): Reply {
    const problem = messageProblem(value);
    if (problem !== undefined) return this.#refuse(problem, peer, idOf(value));
    const message = value as Message;
    const { id, method, params = NO_PARAMS } = message;
    if (method === undefined) {
      if (isRequestId(id)) return this.#takeAnswer(id, message);
    } else if (id === undefined) {
      this.#note(method, params);
    } else {
      return this.#serve(id, method, params, peer);
    }
    return undefined;
  }

  #takeAnswer(id: RequestId, message: Message): Reply {
    const kept = this.#server.calls?.answer(this.session, id, message);
    if (kept === undefined) this.session.requests.settle(id, message);
    return kept?.then(
      () => undefined,
      (error: unknown) => this.#failure(undefined, "answer", error, this.session.peer),
    );
  }

  #serve(id: RequestId, method: string, params: Params, peer: Peer): Reply {
    const server = this.#server;
    const { limits } = server;
    const header = peer.repeatsInHeaders === true ? peer.header : undefined;
    const inFlight = this.#inFlight;
    let isCall = false;
    try {
      const exceeded = exceededBound(params, limits);
      if (exceeded !== undefined) {
        const problem = exceeded === "depth" ? "is nested too deep" : "holds too many values";
        throw refusal(`The message ${problem} (limit ${limits[exceeded]}).`);
      }
      // Two answers under one id could not be told apart, and neither could what is to be cancelled.
      if (inFlight.has(id)) {
        throw refusal("A request with this id is still in progress; each needs an id of its own.");
      }
      // Before the handshake a client has agreed to nothing, so it is served the newest form it could ask for.
      let revision = this.revision ?? LATEST_LEGACY;
      let { client } = this.session;
      if (isModern(method, params, header)) {
        revision = validateModernRequest(method, params, header);
        client = readClient(params);
        if (header !== undefined && method === "tools/call") server.checkHeaderParameters(params, header);
      }
      const call = new Call(this.session, id, method, params, revision, client, peer);
      call.isAgain = peer.isAgain === true;
      // What costs nothing is answered even then, so that a busy connection can be seen to be alive.
      if (inFlight.size - this.session.openStreams.size >= limits.calls && method !== "ping") {
        const message = "Too many requests are in progress on this connection.";
        throw new ProtocolError(ErrorCode.InternalError, message, undefined, 503);
      }
      isCall = true;
      const result = server.dispatch(call);
      if (typeof result !== "string") return this.#await(call, result);
      call.finish();
      return { text: resultText(id, result), status: 200 };
    } catch (error) {
      // Which revisions a server has, clients may find out by asking for another.
      if (!isCall && isProtocolError(error) && error.code !== ErrorCode.UnsupportedProtocolVersion) {
        this.#reportRefusal(error.status, error.message, peer);
      }
      return this.#failure(id, method, error, peer);
    }
  }

  /** Owes an answer until the handler is done or the call is cancelled, whichever is first. */
  #await(call: Call, result: Promise<string>): Promise<Answer | undefined> {
    const { id, method } = call;
    this.#inFlight.set(id, call);
    return new Promise((resolve) => {
      const give = (answer?: Answer): void => {
        if (this.#inFlight.get(id) === call) this.#inFlight.delete(id);
        call.finish();
        resolve(answer);
      };
      let isSettled = false;
      const settle = (answer?: Answer): void => {
        if (isSettled) return;
        isSettled = true;
        if (call.recorded === undefined) give(answer);
        else void call.recorded.conclude(answer).then(give);
      };
      call.onAbandon(settle);
      result.then(
        (text) => settle({ text: resultText(id, text), status: 200 }),
        (error: unknown) => {
          // An expected abort is not reported.
          if (!call.cancelled) settle(this.#failure(id, method, error, call.peer));
        },
      );
    });
  }

  #failure(id: RequestId | undefined, method: string, error: unknown, { address, principal }: Peer): Answer {
    if (isProtocolError(error)) {
      const { code, message, data, status, headers } = error;
      if (status === 403 || status === 429) {
        this.#server.refusals.ofCall({ status, reason: message, address, principal });
      }
      return { text: errorText(id, code, this.#server.sanitize(message), data), status, headers };
    }
    const message = this.#server.reportError(error, `request "${method.slice(0, 128)}"`);
    return { text: errorText(id, ErrorCode.InternalError, message), status: 200 };
  }

  #note(method: string, params: unknown): void {
    if (method === "notifications/roots/list_changed") {
      for (const call of this.#inFlight.values()) void this.#rootsChanged(call);
    }
    if (method !== "notifications/cancelled" || !isObject(params)) return;
    const { requestId, reason } = params;
    const call = this.#inFlight.get(requestId as RequestId);
    if (call !== undefined)
      call.cancel(typeof reason === "string" ? reason : "The client cancelled the request.");
    else if (isRequestId(requestId)) this.#server.calls?.cancel(this.session, requestId);
  }

  async #rootsChanged(call: Call): Promise<void> {
    try {
      await call.rootsChanged();
    } catch (error) {
      this.#server.reportError(error, "listener to changes of roots", call);
    }
  }

  #receiveBatch(messages: readonly unknown[], peer: Peer): Reply {
    const refused = batchProblem(messages, this.revision, this.#server.limits);
    if (refused !== undefined) return this.#refuse(refused, peer);
    const replies = messages.map((message) => {
      const id = idOf(message);
      const problem = id === undefined ? undefined : memberProblem(message as Message);
      return problem === undefined ? this.#receiveOne(message, peer) : this.#refuse(problem, peer, id);
    });
    return joinReplies(replies);
  }
}

/** The id under which a message, well formed or not, is to be answered. */
function idOf(message: unknown): RequestId | undefined {
  return isObject(message) && isRequestId(message.id) ? message.id : undefined;
}
