import * as ErrorCode from "../../protocol/error-codes.js";
import {
  findMessageProblem,
  isObject,
  isRequestId,
  type Message,
  NO_PARAMS,
  type Params,
  type RequestId,
  toErrorText,
  toResultText,
} from "../../protocol/jsonrpc.js";
import { LATEST, type Revision } from "../../protocol/revisions.js";
import type { Drainable, EncodedResponse, Peer, PendingResponse } from "../../transports/transport.js";
import { findBatchProblem, findMemberProblem, joinResponses } from "./batch.js";
import type { Call } from "./call.js";
import {
  checkBounds,
  type Dispatcher,
  rejectInvalidMessage,
  toErrorResponse,
  toRejection,
} from "./dispatcher.js";

/** Receives messages, and keeps the calls in progress: those of one client, or all stateless ones. */
export abstract class MessageReceiver<Key> implements Drainable {
  protected readonly calls = new Map<Key, Call>();
  protected readonly server: Dispatcher;
  readonly #getKey: (call: Call) => Key;

  /** @param getKey returns the unique key of a call */
  constructor(server: Dispatcher, getKey: (call: Call) => Key) {
    this.server = server;
    this.#getKey = getKey;
  }

  /** The number of subscriptions, which last until the client or the server ends them. */
  get openStreams(): number {
    let count = 0;
    for (const { endStream } of this.calls.values()) if (endStream !== undefined) count++;
    return count;
  }

  /**
   * Receives one parsed message, or a batch. Never throws and never rejects: errors become responses.
   *
   * @param peer the peer for this message
   */
  receive(value: unknown, peer: Peer): PendingResponse {
    const { server } = this;
    if (Array.isArray(value)) return this.#receiveBatch(value, peer);
    const problem = findMessageProblem(value);
    if (problem !== undefined) {
      return rejectInvalidMessage(server, problem, readId(value) ?? this.getUnreadableId(peer), peer);
    }
    const message = value as Message;
    const { id, method, params = NO_PARAMS } = message;
    if (method === undefined) return isRequestId(id) ? this.receiveReply(id, message, peer) : undefined;
    if (id === undefined) return this.receiveNotification(method, params);
    let call: Call;
    try {
      checkBounds(params, server.limits);
      call = this.createCall(id, method, params, peer);
    } catch (error) {
      return toRejection(server, id, method, error, peer);
    }
    try {
      const result = server.dispatch(call);
      if (typeof result !== "string") return this.#respondLater(call, result);
      call.finish();
      return { text: toResultText(id, result), status: 200 };
    } catch (error) {
      return toErrorResponse(server, id, method, error, peer);
    }
  }

  /** Returns the legacy revision of a peer, if it is known. */
  protected abstract getRevision(peer?: Peer): Revision | undefined;

  /**
   * Creates the call of a request.
   *
   * @throws ProtocolError for a request that must not be served
   */
  protected abstract createCall(id: RequestId, method: string, params: Params, peer: Peer): Call;

  /** Receives the response to a request of the server. */
  protected abstract receiveReply(id: RequestId, message: Message, peer: Peer): PendingResponse;

  protected abstract receiveNotification(method: string, params: unknown): undefined;

  /** Returns the ID for the response to a message whose own ID is unreadable. */
  protected getUnreadableId(peer?: Peer): null | undefined {
    return (this.getRevision(peer) ?? LATEST).unreadableId;
  }

  /** Responds when the handler is done or the call is cancelled, whichever happens first. */
  #respondLater(call: Call, result: Promise<string>): Promise<EncodedResponse | undefined> {
    const { id, method } = call;
    this.add(call);
    return new Promise((resolve) => {
      const respond = (response?: EncodedResponse): void => {
        this.delete(call);
        call.finish();
        resolve(response);
      };
      let isSettled = false;
      const settle = (response?: EncodedResponse): void => {
        if (isSettled) return;
        isSettled = true;
        if (call.durable === undefined) respond(response);
        else void call.durable.conclude(response).then(respond);
      };
      call.onAbandon(settle);
      result.then(
        (text) => settle({ text: toResultText(id, text), status: 200 }),
        (error: unknown) => {
          // An expected abort is not reported.
          if (!call.isCancelled) settle(toErrorResponse(this.server, id, method, error, call.peer));
        },
      );
    });
  }

  #receiveBatch(messages: readonly unknown[], peer: Peer): PendingResponse {
    const { server } = this;
    const batchProblem = findBatchProblem(messages, this.getRevision(peer), server.limits);
    if (batchProblem !== undefined) {
      return rejectInvalidMessage(server, batchProblem, this.getUnreadableId(peer), peer);
    }
    const ids = new Set<unknown>();
    const responses = messages.map((message) => {
      const id = readId(message);
      const problem =
        id === undefined ? findMessageProblem(message) : findMemberProblem(message as Message, ids);
      return problem === undefined
        ? this.receive(message, peer)
        : rejectInvalidMessage(server, problem, id ?? this.getUnreadableId(peer), peer);
    });
    return joinResponses(responses);
  }

  protected add(call: Call): void {
    this.calls.set(this.#getKey(call), call);
  }

  protected delete(call: Call): void {
    const key = this.#getKey(call);
    if (this.calls.get(key) === call) this.calls.delete(key);
  }

  finish(): void {
    for (const call of [...this.calls.values()]) {
      call.durable?.handOver(false);
      call.endStream?.();
    }
  }

  stop(reason: string): void {
    for (const call of [...this.calls.values()]) {
      if (call.durable?.handOver(true) !== true) call.abort(reason);
    }
  }

  abandon(reason: string): void {
    for (const call of [...this.calls.values()]) {
      const text = toErrorText(call.id, ErrorCode.InternalError, reason);
      call.cancel(reason, undefined, { text, status: 200 });
    }
  }

  close(reason: string): void {
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) call.cancel(reason);
  }
}

/** Returns the ID for the response to a message, well formed or not. */
function readId(message: unknown): RequestId | undefined {
  return isObject(message) && isRequestId(message.id) ? message.id : undefined;
}
