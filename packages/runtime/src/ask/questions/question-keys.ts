import { ProtocolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { Question } from "./question.js";
import { digest } from "../../encryption/digest.js";
import type { Asked } from "./transcript.js";

/** What tells a question from the others of its call, in every run of the handler. */
export interface QuestionKey {
  readonly key: string;
  /** What is asked, as a digest. */
  readonly text: string;
  /** See `Asked`. */
  readonly occurrence?: number;
}

/**
 * Finds the questions of one run among those of earlier runs: by the author's own key, or for others by the one under
 * which the very same question was asked before, so that questions asked side by side may be answered in any order.
 */
export class QuestionKeys {
  readonly #before: ReadonlyMap<string, Asked>;
  readonly #asked: ReadonlyMap<string, unknown>;
  readonly #occurrences = new Map<string, number>();

  /**
   * @param before what earlier runs asked
   * @param asked what this run has asked so far; its owner adds to it
   */
  constructor(before: ReadonlyMap<string, Asked>, asked: ReadonlyMap<string, unknown>) {
    this.#before = before;
    this.#asked = asked;
  }

  identify({ method, params, key: own, kind }: Question<unknown>): QuestionKey {
    const text = digest([method, params]);
    if (own !== undefined) return { key: this.#free(own, own, () => false), text };
    const occurrence = (this.#occurrences.get(text) ?? 0) + 1;
    this.#occurrences.set(text, occurrence);
    const before = this.#before;
    for (const [key, each] of before) {
      if (each.question === text && each.occurrence === occurrence) return { key, text, occurrence };
    }
    return { key: this.#free(`${kind}-1`, kind, (key) => before.has(key)), text, occurrence };
  }

  #free(wanted: string, stem: string, isTaken: (key: string) => boolean): string {
    let key = wanted;
    for (let count = 2; this.#asked.has(key) || isTaken(key); count++) key = `${stem}-${count}`;
    return key;
  }
}

/** The error for a handler that asks under a key something else than it asked before. */
export function questionChanged(key: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    `The questions of this call changed between its rounds: "${key}" is not what was asked before. A handler is ` +
      "run again from its beginning for every answer and must ask the same each time: take what varies from " +
      "`ctx.once()`, or give questions that come in no certain order a `key`.",
  );
}
