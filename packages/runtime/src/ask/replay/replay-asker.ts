import type { Call } from "../../connection/call.js";
import { invalidParams } from "../../api/errors.js";
import { declares, missingCapability } from "../questions/capabilities.js";
import type { Forms } from "../questions/served-form.js";
import type { EffectRecords } from "../../replicas/effect-records.js";
import { InputRequired } from "./input-required.js";
import { type Effect, Effects } from "../once/once.js";
import { AnswerError, type Asker, type Question } from "../questions/question.js";
import { QuestionKeys, questionChanged } from "../questions/question-keys.js";
import type { SpentStates } from "./spent-states.js";
import type { StateCipher } from "./state.js";
import {
  type Asked,
  readResponses,
  readTranscript,
  type Transcript,
  transcriptState,
} from "../questions/transcript.js";

const SPENT =
  "`requestState` has been used already, and what it was for may have been done. Find out before you call again without it.";

export interface ReplayOptions {
  readonly forms: Forms;
  readonly cipher: StateCipher;
  /** What a state belongs to; only asked for when there is one, since finding it out takes time. */
  readonly binding: () => string;
  /** How long a state is valid, in milliseconds. */
  readonly answerMs: number;
  /** Where effects are kept besides the state, if they are. */
  readonly effects: EffectRecords | undefined;
  readonly spentStates: SpentStates;
}

/**
 * Asks by way of the result: questions without an answer end the run, and the client calls again with answers.
 * The handler is then run from its beginning, and what it asked before is answered at once.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
 */
export class ReplayAsker implements Asker {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #options: ReplayOptions;
  readonly #before: Transcript;
  /** When the state expires that the client came with, as long as it came with no answer. */
  readonly #expires: number | undefined;
  /** Answers that came without a state. */
  readonly #loose: ReadonlyMap<string, unknown>;
  readonly #effects: Effects;
  /** The questions of this run. */
  readonly #asked = new Map<string, Asked>();
  /** Those of them that have no answer yet, as the client is to get them. */
  readonly #open = new Map<string, object>();
  readonly #keys: QuestionKeys;
  #spends = 0;
  #isScheduled = false;
  #stopped: InputRequired | Error | undefined;
  #onStop: ((outcome: InputRequired | Error) => void) | undefined;

  /** @throws ProtocolError when the retry's state or answers are not what they should be */
  constructor(call: Call, options: ReplayOptions) {
    const { forms, cipher, binding } = options;
    const { requestState, inputResponses } = call.params;
    if (requestState !== undefined && typeof requestState !== "string") {
      throw invalidParams("`requestState` must be a string.");
    }
    const decrypted = requestState === undefined ? undefined : cipher.decrypt(requestState, binding());
    const before = decrypted && readTranscript(decrypted.state);
    const { transcript, loose } = readResponses(inputResponses, before);
    this.forms = forms;
    this.#call = call;
    this.#options = options;
    this.#expires = countAnswers(transcript) === countAnswers(before) ? decrypted?.expires : undefined;
    this.#before = transcript;
    this.#keys = new QuestionKeys(transcript.asked, this.#asked);
    this.#loose = loose;
    this.#effects = new Effects({
      callId: transcript.callId,
      done: transcript.effects,
      // Before its state is known to the client a call cannot be run again.
      keep: before && options.effects?.keeper(this.#lifetimeMs, () => call.done),
      onIdle: () => this.#schedule(),
    });
  }

  get transcript(): Transcript {
    const asked = new Map([...this.#before.asked, ...this.#asked]);
    return { callId: this.#effects.callId, asked, effects: this.#effects.results };
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** What the run comes to: the handler's own value, or the questions it waits for. */
  outcome(value: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#onStop = (outcome) => {
        if (outcome instanceof InputRequired) resolve(outcome);
        else reject(outcome);
        this.#call.leave("The client is asked first; the handler runs again with its answers.");
      };
      if (this.#stopped !== undefined) this.#onStop(this.#stopped);
      value.then(resolve, reject);
    });
  }

  ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { method, params, needs } = question;
    const { key, text, occurrence } = this.#keys.identify(question);
    const before = this.#before.asked.get(key);
    if (before !== undefined && before.question !== text) return this.#fail(questionChanged(key));
    const answer = before === undefined ? this.#loose.get(key) : before.answer;
    const asked: Asked = { question: text, ...(occurrence === undefined ? {} : { occurrence }) };
    this.#asked.set(key, answer === undefined ? asked : { ...asked, answer });
    if (answer !== undefined) return this.#read(question, key, answer);
    if (!declares(this.#call.client.capabilities, needs)) {
      this.#asked.delete(key);
      return Promise.reject(missingCapability(this.#call, needs));
    }
    this.#open.set(key, { method, params });
    this.#schedule();
    return new Promise(() => {});
  }

  once<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.once(key, effect);
  }

  /** Its states carry that it was done on the way to them. */
  async spendState(): Promise<void> {
    const place = ++this.#spends;
    const { callId } = this.#before;
    const spend = async (): Promise<void> => {
      if (callId === undefined) return;
      const isFirst = await this.#options.spentStates.spend(`${callId} ${place}`, this.#lifetimeMs);
      if (!isFirst) throw invalidParams(SPENT);
    };
    try {
      await this.#effects.once(`\0spent ${place}`, spend, null);
    } catch (error) {
      await this.#fail(error as Error);
    }
  }

  /** How long any state of this call can be used, of those that were given out so far. */
  get #lifetimeMs(): number {
    return this.#options.answerMs * (1 + this.#before.asked.size);
  }

  /** A malformed answer ends the call whatever the handler makes of errors: it must not complete. */
  #read<Answer>(question: Question<Answer>, key: string, answer: unknown): Promise<Answer> {
    try {
      return Promise.resolve(question.read(answer));
    } catch (error) {
      if (!(error instanceof AnswerError)) return Promise.reject(error as Error);
      return this.#fail(invalidParams(`The input response "${key}" is not valid: ${error.message}`));
    }
  }

  /** Questions asked side by side are sent together, and no effect is left under way. */
  #schedule(): void {
    if (this.#isScheduled || this.#open.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#effects.isIdle) this.#stop(this.#lostAnswer() ?? this.#inputRequired());
    });
  }

  /**
   * A run that asks something new, and leaves an answer unused that it had asked for without a key, has taken
   * another way than the run before; it might ask for ever.
   */
  #lostAnswer(): Error | undefined {
    if ([...this.#open.keys()].every((key) => this.#before.asked.has(key))) return undefined;
    for (const [key, { occurrence, answer }] of this.#before.asked) {
      if (occurrence !== undefined && answer !== undefined && !this.#asked.has(key))
        return questionChanged(key);
    }
    return undefined;
  }

  #inputRequired(): InputRequired {
    const { cipher, binding } = this.#options;
    const state = transcriptState(this.transcript);
    return new InputRequired({
      inputRequests: Object.fromEntries(this.#open),
      requestState: cipher.encrypt(state, binding(), this.#expires),
    });
  }

  #fail(error: Error): Promise<never> {
    this.#stop(error);
    return new Promise(() => {});
  }

  #stop(outcome: InputRequired | Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = outcome;
    this.#onStop?.(outcome);
  }
}

function countAnswers(transcript: Transcript | undefined): number {
  return [...(transcript?.asked.values() ?? [])].filter((each) => "answer" in each).length;
}
