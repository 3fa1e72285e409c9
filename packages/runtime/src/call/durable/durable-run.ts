import type { ProtocolError } from "../../api/errors.js";
import type { RecordChange } from "../../store/record-table.js";
import { retry, type RetryOptions } from "../../store/retry.js";
import { hasCapabilities, createMissingCapabilityError } from "../questions/capabilities.js";
import type { InputRequester, Question } from "../questions/question.js";
import { QuestionKeys, createQuestionChangedError } from "../questions/question-keys.js";
import type { Forms } from "../questions/served-form.js";
import { type AskedQuestion, readEffects } from "../questions/transcript.js";
import { type Effect, Effects } from "../steps/effects.js";
import type { Call } from "../connection/call.js";
import type { DurableQuestion, DurableRecord, QuestionReply } from "./durable-record.js";
import { PendingReplies } from "./pending-replies.js";

export interface DurableRunOptions<Kind extends DurableRecord> {
  readonly call: Call;
  readonly forms: Forms;
  /** The record when this run begins. Absent until the call needs one. */
  readonly record: Kind | undefined;
  /** Questions that this run of the handler asked through another input requester. */
  readonly askedBefore?: ReadonlyMap<string, AskedQuestion>;
}

/**
 * The reason why a run ended: another process concluded the call, another run continues it, the store has lost the
 * record, or the run is done.
 */
export type RunEnd = "concluded" | "taken-over" | "lost" | "done";

/**
 * One run of a handler whose call is recorded in a store. Questions are recorded before the client receives them, and
 * replies are read from the record, whichever process received them. A later run of the handler finds both. After another
 * run has taken over the call, this one changes nothing.
 */
export abstract class DurableRun<Kind extends DurableRecord> implements InputRequester {
  readonly forms: Forms;
  readonly call: Call;
  protected readonly effects: Effects;
  /** The questions of earlier runs. */
  readonly #earlier: ReadonlyMap<string, DurableQuestion>;
  /** The questions of this run. */
  readonly #asked: Map<string, AskedQuestion | undefined>;
  readonly #keys: QuestionKeys;
  readonly #pending = new PendingReplies();
  readonly #doneListeners: (() => void)[] = [];
  /** The queue of changes, which are made one after the other. */
  #changes: Promise<unknown> = Promise.resolve();
  #record: Kind | undefined;
  #isBehind: boolean;
  #isDone = false;

  constructor({ call, forms, record, askedBefore }: DurableRunOptions<Kind>) {
    this.call = call;
    this.forms = forms;
    this.#record = record;
    this.#earlier = new Map(record?.asked);
    this.#isBehind = this.#earlier.size > 0;
    this.#asked = new Map(askedBefore);
    this.#keys = new QuestionKeys(this.#earlier, this.#asked);
    this.effects = new Effects({
      callId: record?.callId,
      done: readEffects(record?.effects ?? []),
      recordEffect: (callId, key, perform) => this.recordEffect(callId, key, perform),
    });
  }

  get record(): Kind | undefined {
    return this.#record;
  }

  /** Whether the run has ended. After that, it changes nothing. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether the handler waits for a reply. */
  get isAsking(): boolean {
    return !this.#pending.isEmpty;
  }

  /** Whether an earlier run has asked all questions of this one, and more. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { needs } = question;
    if (!hasCapabilities(this.call.client.capabilities, needs))
      throw createMissingCapabilityError(this.call, needs);
    const fallback = this.getFallback();
    if (fallback !== undefined) return fallback.ask(question);
    const { key, text, occurrence } = this.#keys.identify(question);
    const asked: AskedQuestion = { question: text, ...(occurrence !== undefined && { occurrence }) };
    const earlier = this.#earlier.get(key);
    this.#asked.set(key, asked);
    this.#isBehind &&= earlier !== undefined && this.#asked.size < this.#earlier.size;
    if (earlier !== undefined && earlier.question !== text)
      return this.endWith(createQuestionChangedError(key));
    if (earlier?.reply !== undefined) return this.read(question, earlier.reply, key);
    if (earlier === undefined && this.#earlier.size > 0) {
      // Questions that are asked concurrently must be known first.
      await new Promise((resolve) => setImmediate(resolve));
      const error = this.effects.isIdle ? this.#keys.findUnusedAnswer() : undefined;
      if (error !== undefined) return this.endWith(error);
    }
    const reply = await this.#waitForReply(key, asked, question, earlier !== undefined);
    return this.read(question, reply, key);
  }

  step<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.effects.step(key, effect);
  }

  /** Resolves when all queued changes are made. */
  async waitForChanges(): Promise<void> {
    await this.#changes;
  }

  /** Calls the listener when the run has ended. */
  onDone(listener: () => void): void {
    if (this.#isDone) listener();
    else this.#doneListeners.push(listener);
  }

  /** Reads the record again, since another process may have changed it. */
  async refresh(): Promise<void> {
    if (this.#record === undefined || this.#isDone) return;
    this.applyRecord(await this.readRecord());
  }

  /** Continues with a record that was read, or changed by this process. */
  applyRecord(record: Kind | undefined): void {
    if (this.#isDone) return;
    if (record === undefined) return this.end("lost");
    if (!this.isOwn(record)) return this.end("taken-over");
    if (record.version < (this.#record?.version ?? 0)) return;
    this.#record = record;
    if (this.isConcluded(record)) return this.end("concluded");
    this.#pending.settleRecorded(record.asked);
  }

  /** Ends the run in this process. The record of the call stays as it is. */
  end(end: RunEnd): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.onEnd(end);
    this.#pending.rejectAll(createRunDoneError());
    for (const listener of this.#doneListeners.splice(0)) listener();
  }

  /**
   * Writes the first record of the call. Changes wait for it.
   *
   * @param create returns undefined if there is already a record
   */
  protected createRecord(
    create: () => Kind | undefined,
    write: (record: Kind) => Promise<void>,
  ): Promise<void> {
    return this.#enqueue(async () => {
      const record = create();
      if (record === undefined) return;
      await write(record);
      this.#record = record;
    });
  }

  /**
   * Changes the record, unless another run works on the call.
   *
   * @param change returns undefined to leave the record as it is
   * @param retries how to retry a change that the store does not accept. Default: until the run has ended
   */
  protected change(change: (record: Kind) => Kind | undefined, retries?: RetryOptions): Promise<void> {
    return this.#enqueue(() => this.#change(change, retries));
  }

  /** Returns whether this run works on the call. */
  protected isOwn({ callId, worker, run }: Kind): boolean {
    const current = this.#record;
    return (
      current === undefined || (callId === current.callId && worker === current.worker && run === current.run)
    );
  }

  /** Adds new questions to a record. */
  protected addQuestions(record: Kind): Kind | undefined {
    const added = this.#pending.findUnrecorded(record.asked);
    if (added.length === 0) return undefined;
    const questions = added.map(([key, { asked, question }], index): readonly [string, DurableQuestion] => [
      key,
      { ...asked, ...this.describe(question, record, record.asked.length + index + 1) },
    ]);
    return { ...record, asked: [...record.asked, ...questions], version: record.version + 1 };
  }

  /** Reads the record. */
  protected abstract readRecord(): Promise<Kind | undefined>;

  /** Changes the record in the store; see `RecordTable`. */
  protected abstract changeRecord(
    change: (record: Kind | undefined) => Kind | undefined,
  ): Promise<RecordChange<Kind>>;

  /** Records new questions. */
  protected abstract recordQuestions(): Promise<void>;

  protected abstract isConcluded(record: Kind): boolean;

  /** Returns the properties of a recorded question, apart from its identity. */
  protected abstract describe(
    question: Question<unknown>,
    record: Kind,
    number: number,
  ): Partial<DurableQuestion>;

  /** Returns the input requester of a call that no other run could continue. */
  protected getFallback(): InputRequester | undefined {
    return undefined;
  }

  /** Watches an open question. Returns a function that stops it. */
  protected watch(_key: string, _asked: DurableQuestion): () => void {
    return () => {};
  }

  /**
   * Sends a recorded question to the client.
   *
   * @param wasAsked true if an earlier run asked it
   */
  protected async send(
    _question: Question<unknown>,
    _asked: DurableQuestion,
    _wasAsked: boolean,
  ): Promise<void> {}

  /** Records the result of an effect for other runs. Default: it stays in memory. */
  protected recordEffect(
    _callId: string,
    _key: string,
    perform: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    return perform();
  }

  /** Continues with a reply that is not in the record. */
  protected settle(key: string, reply: QuestionReply | Error): void {
    this.#pending.settle(key, reply);
  }

  /** Returns the answer in a reply, or throws the error that the handler sees instead. */
  protected abstract read<Answer>(question: Question<Answer>, reply: QuestionReply, key: string): Answer;

  /** Ends the call of a handler that asks different questions than before. */
  protected abstract endWith(error: ProtocolError): Promise<never>;

  protected abstract onEnd(end: RunEnd): void;

  async #waitForReply(
    key: string,
    asked: AskedQuestion,
    question: Question<unknown>,
    wasAsked: boolean,
  ): Promise<QuestionReply> {
    if (this.#isDone) throw createRunDoneError();
    const reply = this.#pending.add(key, asked, question);
    let stop = (): void => {};
    try {
      if (!wasAsked) await this.recordQuestions();
      const { asked: recorded = [] } = this.#record ?? {};
      const [, durable] = recorded.find(([each]) => each === key) ?? [];
      if (durable !== undefined && !this.#isDone) {
        this.#pending.settleRecorded(recorded);
        stop = this.watch(key, durable);
        await this.send(question, durable, wasAsked);
      }
      return await reply;
    } finally {
      stop();
      this.#pending.delete(key);
    }
  }

  async #change(change: (record: Kind) => Kind | undefined, retries: RetryOptions = {}): Promise<void> {
    if (this.#isDone) return;
    try {
      const { record } = await retry(
        () => this.changeRecord((found) => (found && this.#mayChange(found) ? change(found) : undefined)),
        { ...retries, isFinal: (error) => this.#isDone || retries.isFinal?.(error) === true },
      );
      this.applyRecord(record);
    } catch (error) {
      if (!this.#isDone) throw error;
    }
  }

  #mayChange(record: Kind): boolean {
    return !this.#isDone && this.isOwn(record) && !this.isConcluded(record);
  }

  #enqueue(act: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(act);
    this.#changes = done.catch(() => {});
    return done;
  }
}

/** Returns the error for a handler that waits for a reply when its run ends. */
export function createRunDoneError(): Error {
  return new DOMException("The call has ended.", "AbortError");
}
