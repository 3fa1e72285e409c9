import type { Call } from "../connection/call.js";
import { invalidParams } from "../api/errors.js";
import { declares, missingCapability } from "./capabilities.js";
import type { Forms } from "./served-form.js";
import { InputRequired } from "./input-required.js";
import { Effects } from "./once.js";
import { AnswerError, type Asker, type Question } from "./question.js";
import { QuestionKeys, questionChanged } from "./question-keys.js";
import type { StateCipher } from "./state.js";
import { type Asked, readResponses, readTranscript, type Transcript, transcriptState } from "./transcript.js";

/**
 * Asks by way of the result: questions without an answer end the run, and the client calls again with answers.
 * The handler is then run from its beginning, and what it asked before is answered at once.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
 */
export class ReplayAsker implements Asker {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #cipher: StateCipher;
  readonly #binding: () => string;
  readonly #before: Transcript;
  /** Answers that came without a state. */
  readonly #loose: ReadonlyMap<string, unknown>;
  readonly #effects: Effects;
  /** The questions of this run. */
  readonly #asked = new Map<string, Asked>();
  /** Those of them that have no answer yet, as the client is to get them. */
  readonly #open = new Map<string, object>();
  readonly #keys: QuestionKeys;
  #isScheduled = false;
  #stopped: InputRequired | Error | undefined;
  #onStop: ((outcome: InputRequired | Error) => void) | undefined;

  /**
   * @param binding what a state belongs to; only asked for when there is one, since finding it out takes time
   * @throws ProtocolError when the retry's state or answers are not what they should be
   */
  constructor(call: Call, forms: Forms, cipher: StateCipher, binding: () => string) {
    const { requestState, inputResponses } = call.params;
    if (requestState !== undefined && typeof requestState !== "string") {
      throw invalidParams("`requestState` must be a string.");
    }
    const decrypted =
      requestState === undefined ? undefined : readTranscript(cipher.decrypt(requestState, binding()));
    const { transcript, loose } = readResponses(inputResponses, decrypted);
    this.forms = forms;
    this.#call = call;
    this.#cipher = cipher;
    this.#binding = binding;
    this.#before = transcript;
    this.#keys = new QuestionKeys(transcript.asked, this.#asked);
    this.#loose = loose;
    this.#effects = new Effects(transcript.effects, () => this.#schedule());
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

  once<T>(key: string, effect: () => T | Promise<T>): Promise<T> {
    return this.#effects.once(key, effect);
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
    const asked = new Map([...this.#before.asked, ...this.#asked]);
    const state = transcriptState({ asked, effects: this.#effects.results });
    return new InputRequired({
      inputRequests: Object.fromEntries(this.#open),
      requestState: this.#cipher.encrypt(state, this.#binding()),
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
