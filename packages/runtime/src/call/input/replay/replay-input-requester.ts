import type { Call } from "../../connection/call.js";
import { createInvalidParamsError, isProtocolError } from "../../../api/errors.js";
import { hasCapabilities, createMissingCapabilityError } from "../../questions/capabilities.js";
import type { Forms } from "../../questions/served-form.js";
import { InputRequired } from "./input-required.js";
import { type Effect, Effects, type EffectStore } from "../../steps/effects.js";
import {
  AnswerError,
  createCallEndedError,
  type InputRequester,
  type Question,
} from "../../questions/question.js";
import { QuestionKeys, createQuestionChangedError } from "../../questions/question-keys.js";
import type { ConsumedStates } from "./consumed-states.js";
import type { StateCipher } from "./state.js";
import {
  type AskedQuestion,
  readResponses,
  readTranscript,
  type Transcript,
  toTranscriptState,
} from "../../questions/transcript.js";

const CONSUMED =
  "`requestState` was already used, and the call may have taken effect. Check that before you call again without it.";

/** The options of the requester. */
export interface ReplayOptions {
  readonly forms: Forms;
  readonly cipher: StateCipher;
  /** Returns the binding of states. Called only if there is a state, since it takes time. */
  readonly binding: () => string;
  /** The time for which a state is valid, in milliseconds. */
  readonly inputTimeoutMs: number;
  /** Records effects for other processes, in addition to the state. */
  readonly effects: EffectStore | undefined;
  readonly consumedStates: ConsumedStates;
}

/**
 * Sends questions in the result: questions without an answer end the run, and the client calls again with answers. The
 * handler then runs from the beginning, and questions of earlier runs are answered immediately.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
 */
export class ReplayInputRequester implements InputRequester {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #options: ReplayOptions;
  readonly #earlier: Transcript;
  /** The time when the request's state expires, if the request has no new answer. */
  readonly #expires: number | undefined;
  /** Answers without a state. */
  readonly #unmatched: ReadonlyMap<string, unknown>;
  readonly #effects: Effects;
  /** The questions of this run. */
  readonly #asked = new Map<string, AskedQuestion>();
  /** The questions without an answer, as the client receives them. */
  readonly #open = new Map<string, object>();
  readonly #keys: QuestionKeys;
  #consumptions = 0;
  #isScheduled = false;
  #outcome: InputRequired | Error | undefined;
  /** Functions that end the runs of the handler: a middleware may run it several times. */
  readonly #onStop: ((outcome: InputRequired | Error) => void)[] = [];

  /** @throws ProtocolError for a state or answers that are not valid */
  constructor(call: Call, options: ReplayOptions) {
    const { forms, cipher, binding } = options;
    const { requestState, inputResponses } = call.params;
    if (requestState !== undefined && typeof requestState !== "string") {
      throw createInvalidParamsError("`requestState` must be a string.");
    }
    const decrypted = requestState === undefined ? undefined : cipher.decrypt(requestState, binding());
    const before = decrypted && readTranscript(decrypted.state);
    const { transcript, unmatched } = readResponses(inputResponses, before);
    this.forms = forms;
    this.#call = call;
    this.#options = options;
    this.#expires = countAnswers(transcript) === countAnswers(before) ? decrypted?.expires : undefined;
    this.#earlier = transcript;
    this.#keys = new QuestionKeys(transcript.asked, this.#asked);
    this.#unmatched = unmatched;
    this.#effects = new Effects({
      callId: transcript.callId,
      done: transcript.effects,
      // A call cannot run again before its client has received a state.
      recordEffect: before && options.effects?.createRecorder(this.#lifetimeMs, () => call.isDone),
      onIdle: () => this.#schedule(),
    });
  }

  get transcript(): Transcript {
    const asked = new Map([...this.#earlier.asked, ...this.#asked]);
    return { callId: this.#effects.callId, asked, effects: this.#effects.results };
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  resolveOutcome(value: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const stop = (outcome: InputRequired | Error): void => {
        if (outcome instanceof InputRequired) resolve(outcome);
        else this.#reject(outcome, reject);
        this.#call.abort("The handler waits for the client, and runs again with its answers.");
      };
      if (this.#outcome === undefined) this.#onStop.push(stop);
      else stop(this.#outcome);
      value.then(resolve, reject);
    });
  }

  ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { method, params, needs } = question;
    // A run that has stopped at a question does not continue, not even with an error.
    if (this.#call.isDone && this.#outcome === undefined && !this.#call.signal.aborted)
      return Promise.reject(createCallEndedError());
    const { key, text, occurrence } = this.#keys.identify(question);
    const before = this.#earlier.asked.get(key);
    if (before !== undefined && before.question !== text) return this.#fail(createQuestionChangedError(key));
    const answer = before === undefined ? this.#unmatched.get(key) : before.answer;
    const asked: AskedQuestion = { question: text, ...(occurrence === undefined ? {} : { occurrence }) };
    this.#asked.set(key, answer === undefined ? asked : { ...asked, answer });
    if (answer !== undefined) return this.#read(question, key, answer);
    if (!hasCapabilities(this.#call.client.capabilities, needs)) {
      this.#asked.delete(key);
      return Promise.reject(createMissingCapabilityError(this.#call, needs));
    }
    this.#open.set(key, { method, params });
    this.#schedule();
    return new Promise(() => {});
  }

  step<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.step(key, effect);
  }

  /** Consumes the state as an effect, so that later states of the call record it. */
  async consumeState(): Promise<void> {
    const number = ++this.#consumptions;
    const { callId } = this.#earlier;
    const consume = async (): Promise<void> => {
      if (callId === undefined) return;
      const isFirst = await this.#options.consumedStates.consume(`${callId} ${number}`, this.#lifetimeMs);
      if (!isFirst) throw createInvalidParamsError(CONSUMED);
    };
    try {
      await this.#effects.step(`\0consumed ${number}`, consume, null);
    } catch (error) {
      await this.#fail(error as Error);
    }
  }

  /** The time for which any state of this call so far is valid, in milliseconds. */
  get #lifetimeMs(): number {
    return this.#options.inputTimeoutMs * (1 + this.#earlier.asked.size);
  }

  /** Reads an answer. An invalid answer ends the call, even if the handler catches errors. */
  #read<Answer>(question: Question<Answer>, key: string, answer: unknown): Promise<Answer> {
    try {
      return Promise.resolve(question.read(answer));
    } catch (error) {
      if (!(error instanceof AnswerError)) return Promise.reject(error as Error);
      return this.#fail(
        createInvalidParamsError(`The input response "${key}" is not valid: ${error.message}`),
      );
    }
  }

  /** Ends the run after this turn, so that concurrent questions are sent together, or after the effects in progress. */
  #schedule(): void {
    if (this.#isScheduled || this.#open.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#effects.isIdle) return;
      const hasNew = [...this.#open.keys()].some((key) => !this.#earlier.asked.has(key));
      this.#stop((hasNew && this.#keys.findUnusedAnswer()) || this.#createInputRequired());
    });
  }

  #createInputRequired(): InputRequired {
    const { cipher, binding } = this.#options;
    const state = toTranscriptState(this.transcript);
    return new InputRequired({
      inputRequests: Object.fromEntries(this.#open),
      requestState: cipher.encrypt(state, binding(), this.#expires),
    });
  }

  /** Rejects the call. Its signal is aborted, too, although neither the client nor the server cancelled it. */
  #reject(error: Error, reject: (error: Error) => void): void {
    if (this.#call.notes && isProtocolError(error)) this.#call.notes.outcome = "failed";
    reject(error);
  }

  #fail(error: Error): Promise<never> {
    this.#stop(error);
    return new Promise(() => {});
  }

  #stop(outcome: InputRequired | Error): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    for (const stop of this.#onStop.splice(0)) stop(outcome);
  }
}

function countAnswers(transcript: Transcript | undefined): number {
  return [...(transcript?.asked.values() ?? [])].filter((each) => "answer" in each).length;
}
