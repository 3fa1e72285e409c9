import { ProtocolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { Question } from "./question.js";
import { digest } from "../../access/encryption/digest.js";
import type { AskedQuestion } from "./transcript.js";

/** Identifies a question among those of its call, in every run of the handler. */
export interface QuestionKey {
  readonly key: string;
  /** The digest of the question's method and parameters. */
  readonly text: string;
  /** See `AskedQuestion`. */
  readonly occurrence?: number;
}

/**
 * Finds the questions of one run among those of earlier runs. A question to which the author gave no key is recognized
 * by its text, so that concurrent questions may be answered in any order.
 */
export class QuestionKeys {
  readonly #earlier: ReadonlyMap<string, AskedQuestion & { readonly reply?: unknown }>;
  readonly #asked: ReadonlyMap<string, unknown>;
  readonly #occurrences = new Map<string, number>();

  /**
   * @param before the questions of earlier runs
   * @param asked the questions of this run so far, to which the owner adds
   */
  constructor(
    before: ReadonlyMap<string, AskedQuestion & { readonly reply?: unknown }>,
    asked: ReadonlyMap<string, AskedQuestion | undefined>,
  ) {
    this.#earlier = before;
    this.#asked = asked;
    for (const each of asked.values()) {
      if (each?.occurrence === undefined) continue;
      const { question, occurrence } = each;
      this.#occurrences.set(question, Math.max(occurrence, this.#occurrences.get(question) ?? 0));
    }
  }

  identify({ method, params, key: authorKey, kind }: Question<unknown>): QuestionKey {
    const text = digest([method, params]);
    if (authorKey !== undefined) return { key: this.#findFreeKey(authorKey, authorKey, () => false), text };
    const occurrence = (this.#occurrences.get(text) ?? 0) + 1;
    this.#occurrences.set(text, occurrence);
    const before = this.#earlier;
    for (const [key, each] of before) {
      if (each.question === text && each.occurrence === occurrence) return { key, text, occurrence };
    }
    return { key: this.#findFreeKey(`${kind}-1`, kind, (key) => before.has(key)), text, occurrence };
  }

  /**
   * Returns the error for a run that asks a new question, but does not use an answer to a question without a key. Such a
   * run took a different path than the previous run, and might ask forever.
   */
  findUnusedAnswer(): ProtocolError | undefined {
    for (const [key, { occurrence, answer, reply = answer }] of this.#earlier) {
      if (occurrence !== undefined && reply !== undefined && !this.#asked.has(key))
        return createQuestionChangedError(key);
    }
    return undefined;
  }

  #findFreeKey(preferred: string, stem: string, isTaken: (key: string) => boolean): string {
    let key = preferred;
    for (let count = 2; this.#asked.has(key) || isTaken(key); count++) key = `${stem}-${count}`;
    return key;
  }
}

/** Returns the error for a handler that asks a different question under the same key. */
export function createQuestionChangedError(key: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    `The questions of this call changed between its rounds: "${key}" is not the question that was asked before. A handler runs ` +
      "again from the beginning for every answer, and must ask the same questions each time. Use `ctx.step()` to read values " +
      "that vary, and give each question whose order varies a `key`.",
  );
}
