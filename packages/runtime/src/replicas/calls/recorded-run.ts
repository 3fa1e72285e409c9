import { ToolError } from "../../api/errors.js";
import { declares, missingCapability } from "../../ask/questions/capabilities.js";
import { type Effect, Effects, type KeepEffect } from "../../ask/once/once.js";
import type { Asker, Question } from "../../ask/questions/question.js";
import { QuestionKeys, questionChanged } from "../../ask/questions/question-keys.js";
import { RequestAsker } from "../../ask/request-asker.js";
import type { Forms } from "../../ask/questions/served-form.js";
import type { Call } from "../../connection/call.js";
import type { RecordedCall } from "../../connection/recorded-call.js";
import { errorText, requestText } from "../../protocol/jsonrpc.js";
import type { Answer } from "../../transports/transport.js";
import type { Replica } from "../replica.js";
import { AwaitedReplies, readReply } from "./awaited-replies.js";
import {
  type CallRecord,
  firstRecord,
  type QuestionReply,
  type RecordedQuestion,
  withQuestion,
  withReply,
} from "./call-record.js";
import type { CallPlace, CallRecords } from "./call-records.js";
import { questionId } from "./question-id.js";

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export interface RunOptions {
  readonly call: Call;
  readonly forms: Forms;
  readonly replica: Replica;
  readonly records: CallRecords;
  /** How long a client may take to answer, in milliseconds. */
  readonly answerMs: number;
  /** The call as this run takes it over; absent in its first run. */
  readonly record: CallRecord | undefined;
  /** @param isOver true when nobody waits for the run any more */
  keeper(isOver: () => boolean): KeepEffect;
  /**
   * Where the client hears of the call; asked when it is to be asked first, since its stream begins with that.
   *
   * @returns undefined where no other process could go on
   */
  locate(run: RecordedRun): CallPlace | undefined;
  /** Whether the client has been sent a request. */
  wasSent(place: CallPlace, requestId: string): Promise<boolean>;
  /** @param kept fulfilled when others know that they can go on */
  onHandOver(kept: Promise<void>): void;
  /** Called when the run is over, whoever goes on. */
  onOver(place: CallPlace): void;
}

/**
 * One run of a legacy call that asks its client. What is needed to run the handler again is in the store before the
 * client is asked anything. As soon as another process goes on with the call, this one says nothing any more.
 */
export class RecordedRun implements Asker, RecordedCall {
  readonly forms: Forms;
  readonly #options: RunOptions;
  /** What the run before was asked, and its replies. */
  readonly #before: ReadonlyMap<string, RecordedQuestion>;
  readonly #asked = new Map<string, RecordedQuestion | undefined>();
  readonly #keys: QuestionKeys;
  readonly #effects: Effects;
  readonly #awaited: AwaitedReplies;
  #ids = 0;
  #isBehind: boolean;
  /** Changes are made one after the other. */
  #changes: Promise<unknown> = Promise.resolve();
  #place: CallPlace | undefined;
  #record: CallRecord | undefined;
  #isOver = false;

  constructor(options: RunOptions) {
    const { forms, record, keeper } = options;
    this.forms = forms;
    this.#options = options;
    this.#record = record;
    this.#before = new Map(record?.asked);
    this.#isBehind = this.#before.size > 0;
    this.#keys = new QuestionKeys(this.#before, this.#asked);
    const kept = keeper(() => this.#isOver);
    this.#effects = new Effects({
      callId: record?.callId,
      done: new Map(record?.effects.map(([key, result]) => [key, result])),
      // Nobody can run a call again of which there is no record.
      keep: async (callId, key, perform) => {
        if (this.#record !== undefined) return kept(callId, key, perform);
        const text = await perform();
        return this.#record === undefined ? text : kept(callId, key, async () => text);
      },
    });
    const { call, answerMs } = options;
    this.#awaited = new AwaitedReplies(call, {
      answerMs,
      keep: (requestId, reply) => this.#change((found) => withReply(found, requestId, reply)),
      isOver: () => this.#isOver,
    });
    call.onFinish(() => this.#end());
    if (record !== undefined) this.#place = options.locate(this);
  }

  /** The client has heard from the run before what this one has to say so far. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  once<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.once(key, effect);
  }

  /** What would vary from run to run. */
  newId(): Promise<string> {
    return this.once(`\0id ${++this.#ids}`, () => globalThis.crypto.randomUUID());
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { call } = this.#options;
    const { needs } = question;
    if (!declares(call.client.capabilities, needs)) throw missingCapability(call, needs);
    this.#place ??= this.#options.locate(this);
    if (this.#place === undefined) return this.#mortal.ask(question);
    const { key, text, occurrence } = this.#keys.identify(question);
    const before = this.#before.get(key);
    this.#asked.set(key, before);
    this.#isBehind &&= before !== undefined && this.#asked.size < this.#before.size;
    if (before !== undefined && before.question !== text) return this.#fail(questionChanged(key));
    const identity = { question: text, ...(occurrence !== undefined && { occurrence }) };
    const asked = before ?? (await this.#add(key, identity));
    if (asked === undefined) return new Promise(() => {});
    if (asked.reply !== undefined) return readReply(question, asked.reply);
    const reply = await this.#reply(question, asked, before !== undefined);
    return readReply(question, reply);
  }

  /** Asks where no other process could go on. */
  get #mortal(): Asker {
    const { call, forms, answerMs } = this.#options;
    return new RequestAsker(call, forms, answerMs);
  }

  get #located(): CallPlace {
    if (this.#place === undefined) throw new Error("The call has asked nothing.");
    return this.#place;
  }

  /** Another process, or this one, has changed the record. */
  async refresh(): Promise<void> {
    if (this.#record === undefined || this.#isOver) return;
    this.#take(await this.#options.records.get(this.#located), false);
  }

  async conclude(answer: Answer | undefined): Promise<Answer | undefined> {
    if (this.#record === undefined) return answer;
    if (this.#isOver) return undefined;
    const isOurs = await this.#decide(answer?.text ?? null);
    this.#end();
    return isOurs ? answer : undefined;
  }

  handOver(isUrgent: boolean): boolean {
    if (this.#record === undefined || this.#isOver || (this.#awaited.isEmpty && !isUrgent)) return false;
    const give = (record: CallRecord): CallRecord | undefined =>
      record.answer === undefined ? { ...record, by: "" } : undefined;
    this.#options.onHandOver(this.#change(give));
    this.#leave();
    return true;
  }

  /** Puts a question into the record: before the client is asked, since a reply without one would be lost. */
  async #add(
    key: string,
    identity: Pick<RecordedQuestion, "question" | "occurrence">,
  ): Promise<RecordedQuestion | undefined> {
    const { call, replica, answerMs } = this.#options;
    const place = this.#located;
    await replica.whenHeld();
    let asked: RecordedQuestion | undefined;
    const add = (record: CallRecord): CallRecord => {
      const requestId = questionId({ callId: record.callId, stream: place.stream }, record.asked.length + 1);
      asked = { ...identity, requestId, endsAt: Date.now() + answerMs };
      return withQuestion(record, key, asked, this.#effects.results);
    };
    await this.#inTurn(async () => {
      if (this.#record !== undefined) return this.#write(add);
      const first = add(firstRecord(call, this.#effects.callId, replica.id, place.stream));
      await this.#options.records.create(place, first);
      this.#record = first;
    });
    return this.#isOver ? undefined : asked;
  }

  #reply(
    question: Question<unknown>,
    asked: RecordedQuestion,
    isAskedAgain: boolean,
  ): Promise<QuestionReply> {
    const { call, wasSent } = this.#options;
    const { requestId } = asked;
    return this.#awaited.wait(asked, async () => {
      // A client that has been asked would show its user a second dialog.
      if (!isAskedAgain || !(await wasSent(this.#located, requestId)))
        call.peer.send(requestText(requestId, question.method, question.params));
      if (isAskedAgain) await this.refresh();
    });
  }

  /** Ends the call, whatever the handler makes of errors. */
  async #fail(error: Error & { code: number }): Promise<never> {
    const { call } = this.#options;
    // The call may have begun in this turn, and nobody waits for its answer before the next.
    await Promise.resolve();
    const text = errorText(call.id, error.code, error.message);
    call.cancel(error.message, undefined, { text, status: 200 });
    throw call.signal.reason;
  }

  /** Makes a change of this run's, and takes what came of it. */
  #change(change: (record: CallRecord) => CallRecord | undefined): Promise<void> {
    return this.#inTurn(() => this.#write(change));
  }

  async #write(change: (record: CallRecord) => CallRecord | undefined): Promise<void> {
    const { records } = this.#options;
    let found: CallRecord | undefined;
    const next = await records.change(this.#located, (record) => {
      found = record;
      return this.#isOurs(record) ? change(record) : undefined;
    });
    this.#take(next ?? found, next !== undefined);
  }

  /**
   * Decides how the call ends.
   *
   * @returns false when that is for another process to decide
   */
  async #decide(answer: string | null): Promise<boolean> {
    const { replica } = this.#options;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        // It may be kept already, where the store could not say so.
        await this.#change((record) =>
          record.answer === undefined || record.answer === answer ? { ...record, answer } : undefined,
        );
        return !this.#isOver;
      } catch (error) {
        // What is too large to be kept is given all the same; and while this process is held, no other can go on.
        if (error instanceof ToolError || replica.isHeld) return true;
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
  }

  #inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#changes.then(act);
    this.#changes = done.catch(() => {});
    return done;
  }

  #isOurs({ callId, run, by }: CallRecord): boolean {
    const { replica } = this.#options;
    return by === replica.id && callId === this.#record?.callId && run === this.#record.run;
  }

  #take(record: CallRecord | undefined, isOwnChange: boolean): void {
    if (this.#isOver) return;
    if (record === undefined || !this.#isOurs(record)) return this.#leave();
    if (record.answer === null && !isOwnChange) return this.#cancel();
    if (record.answer !== undefined && !isOwnChange) return this.#leave();
    this.#record = record;
    this.#awaited.take(record);
  }

  /** Says nothing any more: another process goes on. */
  #leave(): void {
    const { call } = this.#options;
    this.#end();
    call.peer.handOver?.();
    call.cancel("The call goes on in another process.");
  }

  /** Its client has cancelled it in another process. */
  #cancel(): void {
    this.#end();
    this.#options.call.cancel("The client cancelled the request.");
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#place !== undefined) this.#options.onOver(this.#place);
  }
}
