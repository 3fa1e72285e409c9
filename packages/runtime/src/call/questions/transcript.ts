import { createInvalidParamsError } from "../../api/errors.js";
import { isObject } from "../../protocol/jsonrpc.js";

/** One question of an earlier run. */
export interface AskedQuestion {
  /** The digest of the question's method and parameters. */
  readonly question: string;
  /** For automatic keys: the number of times that the run had asked this question, including this time. */
  readonly occurrence?: number;
  readonly answer?: unknown;
}

/** The questions, answers, and effects of earlier runs: the content of a `requestState`. */
export interface Transcript {
  /** Identifies the call in all its runs. Absent before the first. */
  readonly callId?: string | undefined;
  readonly asked: ReadonlyMap<string, AskedQuestion>;
  readonly effects: ReadonlyMap<string, unknown>;
}

export const EMPTY_TRANSCRIPT: Transcript = { asked: new Map(), effects: new Map() };

/** Reads a transcript. The state is authenticated, so this server wrote it. */
export function readTranscript(state: unknown): Transcript {
  const { callId, asked, effects } = state as {
    callId?: string;
    asked: [string, AskedQuestion][];
    effects: StoredEffects;
  };
  return { callId, asked: new Map(asked), effects: readEffects(effects) };
}

/** Returns a transcript as JSON. */
export function toTranscriptState({ callId, asked, effects }: Transcript): object {
  return { callId, asked: [...asked], effects: toStoredEffects(effects) };
}

/** Results of effects as JSON. A result of `undefined` is omitted from its pair. */
export type StoredEffects = readonly (readonly [key: string, result?: unknown])[];

/** Converts the results of effects to JSON. */
export function toStoredEffects(effects: ReadonlyMap<string, unknown>): StoredEffects {
  return [...effects].map(([key, result]) => (result === undefined ? [key] : [key, result]));
}

/** Reads the results of effects from JSON. */
export function readEffects(stored: StoredEffects): ReadonlyMap<string, unknown> {
  return new Map(stored.map(([key, result]) => [key, result]));
}

/**
 * Adds the answers of a retry to their questions in the transcript. Answers to questions that were not asked are
 * ignored. Without a state, all answers are `unmatched`, since the handler may ask for any of them.
 *
 * @throws ProtocolError if `inputResponses` is not an object
 */
export function readResponses(
  inputResponses: unknown,
  transcript: Transcript | undefined,
): { transcript: Transcript; unmatched: ReadonlyMap<string, unknown> } {
  if (inputResponses !== undefined && !isObject(inputResponses)) {
    throw createInvalidParamsError("`inputResponses` must be an object.");
  }
  const responses = new Map(Object.entries(inputResponses ?? {}));
  if (transcript === undefined) return { transcript: EMPTY_TRANSCRIPT, unmatched: responses };
  const asked = [...transcript.asked].map(([key, each]): [string, AskedQuestion] => [
    key,
    "answer" in each || !responses.has(key) ? each : { ...each, answer: responses.get(key) },
  ]);
  return { transcript: { ...transcript, asked: new Map(asked) }, unmatched: new Map() };
}
