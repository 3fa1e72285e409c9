import { type ProtocolError, ToolError } from "../../api/errors.js";
import { type InputRequester, type Question, readResponse } from "../../call/questions/question.js";
import type { Forms } from "../../call/questions/served-form.js";
import { toStoredEffects } from "../../call/questions/transcript.js";
import { LegacyInputRequester } from "../../call/input/legacy-input-requester.js";
import type { RecordEffect } from "../../call/steps/effects.js";
import type { Call, DurableCall } from "../../call/connection/call.js";
import {
  type DurableQuestion,
  type QuestionReply,
  withoutWorker,
  withReply,
} from "../../call/durable/durable-record.js";
import { DurableRun, type RunEnd } from "../../call/durable/durable-run.js";
import { formatDuration } from "../../data/explanations/format-duration.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { toErrorText, toNotificationText, toRequestText } from "../../protocol/jsonrpc.js";
import type { RecordChange } from "../../store/record-table.js";
import { OUTAGE_TOLERANCE_MS, retry, type RetryOptions } from "../../store/retry.js";
import type { EncodedResponse } from "../../transports/transport.js";
import type { Replica } from "../replicas/replica.js";
import {
  type CallLocation,
  type CallRecord,
  type CallRecords,
  createCallRecord,
  createQuestionId,
  withResponse,
} from "./call-records.js";

const LOST = "The server has lost the state of this call. Call again if the call is safe to repeat.";

/** The options of a run. */
export interface CallRunOptions {
  readonly call: Call;
  readonly forms: Forms;
  readonly replica: Replica;
  readonly records: CallRecords;
  /** The time within which a client must respond, in milliseconds. */
  readonly inputTimeoutMs: number;
  /** The record that this run takes over. Absent in the first run. */
  readonly record: CallRecord | undefined;
  /**
   * Creates the function that records effects.
   *
   * @param isDone returns true when the run is no longer needed
   */
  createRecorder(isDone: () => boolean): RecordEffect;
  /**
   * Returns the location of the call. Called before its first question, since its stream begins then.
   *
   * @returns undefined if no other process could continue the call
   */
  locate(run: CallRun): CallLocation | undefined;
  /** Returns whether the client was sent a request. */
  wasSent(location: CallLocation, requestId: string): Promise<boolean>;
  /**
   * Called when the run leaves the call to other processes.
   *
   * @param recorded resolves when other processes can continue the call
   */
  onHandOver(recorded: Promise<unknown>): void;
  onDone(location: CallLocation): void;
}

/**
 * One run of a legacy call that sends requests to its client. After another process has taken over the call, the client
 * receives nothing from this one.
 */
export class CallRun extends DurableRun<CallRecord> implements DurableCall {
  readonly #options: CallRunOptions;
  readonly #recordEffect: RecordEffect;
  #location: CallLocation | undefined;
  #idCount = 0;
  #isConcluding = false;
  /** Whether the store has lost the record, so that no other process can respond. */
  #isLost = false;

  constructor(options: CallRunOptions) {
    super(options);
    const { call, record, createRecorder, locate } = options;
    this.#options = options;
    this.#recordEffect = createRecorder(() => this.isDone);
    call.onFinish(() => this.end("done"));
    if (record !== undefined) this.#location = locate(this);
  }

  /** Creates an ID that is the same in every run. */
  createId(): Promise<string> {
    return this.step(`\0id ${++this.#idCount}`, () => globalThis.crypto.randomUUID());
  }

  async conclude(answer: EncodedResponse | undefined): Promise<EncodedResponse | undefined> {
    if (this.record === undefined || this.#isLost) return answer;
    const isOwn = await this.#recordResponse(answer?.text ?? null);
    this.end("done");
    return isOwn ? answer : undefined;
  }

  handOver(isUrgent: boolean): boolean {
    if (this.record === undefined || (!this.isAsking && !isUrgent)) return false;
    const { records, onHandOver } = this.#options;
    const recorded = this.waitForChanges().then(() =>
      records.change(this.#requiredLocation, (record) =>
        record !== undefined && this.isOwn(record) && !this.isConcluded(record)
          ? withoutWorker(record)
          : undefined,
      ),
    );
    onHandOver(recorded);
    this.end("taken-over");
    return true;
  }

  protected override getFallback(): InputRequester | undefined {
    const { call, forms, inputTimeoutMs, locate } = this.#options;
    this.#location ??= locate(this);
    return this.#location === undefined ? new LegacyInputRequester(call, forms, inputTimeoutMs) : undefined;
  }

  protected readRecord(): Promise<CallRecord | undefined> {
    return this.#options.records.get(this.#requiredLocation);
  }

  protected changeRecord(
    change: (record: CallRecord | undefined) => CallRecord | undefined,
  ): Promise<RecordChange<CallRecord>> {
    return this.#options.records.change(this.#requiredLocation, change);
  }

  protected async recordQuestions(): Promise<void> {
    const { call, replica, records } = this.#options;
    const duringOutage: RetryOptions = {
      isFinal: (error) => this.isDone || error instanceof ToolError,
      maxDelayMs: OUTAGE_TOLERANCE_MS,
    };
    await this.createRecord(
      () =>
        this.record === undefined
          ? this.addQuestions(createCallRecord(call, this.effects.callId, replica.id))
          : undefined,
      (record) =>
        retry(async () => {
          // Without its lease, this replica looks dead, and others would continue the call.
          await replica.waitForLease();
          await records.create(this.#requiredLocation, record);
        }, duringOutage),
    );
    if (this.record !== undefined && this.addQuestions(this.record) !== undefined)
      await this.change((record) => this.addQuestions(record), duringOutage);
  }

  protected override addQuestions(record: CallRecord): CallRecord | undefined {
    const next = super.addQuestions(record);
    return next && { ...next, effects: toStoredEffects(this.effects.results) };
  }

  protected isConcluded({ response }: CallRecord): boolean {
    return response !== undefined;
  }

  protected describe(
    _question: Question<unknown>,
    { callId }: CallRecord,
    number: number,
  ): Partial<DurableQuestion> {
    const { stream } = this.#requiredLocation;
    return {
      requestId: createQuestionId({ callId, stream }, number),
      endsAt: Date.now() + this.#options.inputTimeoutMs,
    };
  }

  protected override watch(key: string, { requestId = "", endsAt = Infinity }: DurableQuestion): () => void {
    const { call, inputTimeoutMs } = this.#options;
    const { signal } = call;
    const onAbort = (): void => {
      this.#withdraw(requestId, "The call that sent the request was cancelled.");
      this.settle(key, signal.reason as Error);
    };
    const onTimeout = (): void => {
      const reply = { rejection: `The client did not respond within ${formatDuration(inputTimeoutMs)}.` };
      this.#withdraw(requestId, "No response arrived in time.");
      this.change((record) => withReply(record, key, reply), { isFinal: () => true }).catch(() =>
        this.settle(key, reply),
      );
    };
    const timer = setTimeout(onTimeout, Math.max(0, endsAt - Date.now()));
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    return () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  }

  protected override async send(
    { method, params }: Question<unknown>,
    { requestId = "" }: DurableQuestion,
    wasAsked: boolean,
  ): Promise<void> {
    // A client that received the question before would show its user a second dialog.
    if (!wasAsked || !(await this.#options.wasSent(this.#requiredLocation, requestId)))
      this.call.peer.send(toRequestText(requestId, method, params));
    if (wasAsked) await this.refresh();
  }

  protected read<Answer>(question: Question<Answer>, reply: QuestionReply): Answer {
    if ("rejection" in reply) throw new ToolError(reply.rejection);
    return readResponse(question, reply.result);
  }

  protected override async recordEffect(
    callId: string,
    key: string,
    perform: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (this.record !== undefined) return this.#recordEffect(callId, key, perform);
    // A call without a record cannot run again.
    const text = await perform();
    return this.record === undefined ? text : this.#recordEffect(callId, key, async () => text);
  }

  /** Ends the call with an error, even if the handler catches it. */
  protected async endWith({ code, message }: ProtocolError): Promise<never> {
    // The call may have begun in this turn. Its response is awaited in the next turn.
    await Promise.resolve();
    this.#cancelWith(code, message);
    throw this.call.signal.reason;
  }

  protected onEnd(end: RunEnd): void {
    if (this.#location !== undefined) this.#options.onDone(this.#location);
    if (end === "done" || (end === "concluded" && this.#isConcluding)) return;
    if (end === "concluded" && this.record?.response === null)
      return this.call.cancel("The client cancelled the request.");
    if (end === "lost") {
      this.#isLost = true;
      return this.#cancelWith(ErrorCode.InternalError, LOST);
    }
    this.call.peer.handOver?.();
    this.call.cancel("The call continues in another process.");
  }

  /**
   * Records the response.
   *
   * @returns false if another process decides how the call ends
   */
  async #recordResponse(answer: string | null): Promise<boolean> {
    const { replica } = this.#options;
    this.#isConcluding = true;
    try {
      // A response that is too large for the record is still sent. While this process has its lease, no other process
      // continues the call.
      const isFinal = (error: unknown): boolean => error instanceof ToolError || replica.isHeld;
      await this.change((record) => withResponse(record, answer), { isFinal });
      return this.record?.response === answer;
    } catch {
      return true;
    }
  }

  /** Ends the call in this process, and responds with an error. */
  #cancelWith(code: number, message: string): void {
    this.call.cancel(message, undefined, { text: toErrorText(this.call.id, code, message), status: 200 });
  }

  get #requiredLocation(): CallLocation {
    if (this.#location === undefined) throw new Error("The call has not sent a question.");
    return this.#location;
  }

  /** Cancels a request to the client. */
  #withdraw(requestId: string, reason: string): void {
    if (this.isDone) return;
    this.call.peer.send(toNotificationText("notifications/cancelled", { requestId, reason }));
  }
}
