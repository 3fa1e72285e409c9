import { invalidParams } from "../../api/errors.js";
import { isObject } from "../../protocol/jsonrpc.js";

/** One question of an earlier run. */
export interface Asked {
  /** What was asked, as a digest. */
  readonly question: string;
  /** Set for keys given automatically: the how-manieth time this very question was asked in its run. */
  readonly occurrence?: number;
  readonly answer?: unknown;
}

/** What the runs before this one have learnt: the content of a `requestState`. */
export interface Transcript {
  /** What all runs of the call have in common; nothing before its first. */
  readonly callId?: string | undefined;
  readonly asked: ReadonlyMap<string, Asked>;
  readonly effects: ReadonlyMap<string, unknown>;
}

export const NOTHING_ASKED: Transcript = { asked: new Map(), effects: new Map() };

/** Only this server writes what is read here; it has been authenticated. */
export function readTranscript(state: unknown): Transcript {
  const { callId, asked, effects } = state as {
    callId?: string;
    asked: [string, Asked][];
    effects: [string, unknown?][];
  };
  return { callId, asked: new Map(asked), effects: new Map(effects.map(([key, result]) => [key, result])) };
}

export function transcriptState({ callId, asked, effects }: Transcript): object {
  // A result may be `undefined`, which JSON shows by a pair of one.
  const pairs = [...effects].map(([key, result]) => (result === undefined ? [key] : [key, result]));
  return { callId, asked: [...asked], effects: pairs };
}

/**
 * Puts the answers of a retry beside their questions. Answers to what was not asked are ignored; without a state
 * (`transcript` undefined) any key may turn out to be asked for.
 *
 * @throws ProtocolError when `inputResponses` is no object
 */
export function readResponses(
  given: unknown,
  transcript: Transcript | undefined,
): { transcript: Transcript; loose: ReadonlyMap<string, unknown> } {
  if (given !== undefined && !isObject(given)) throw invalidParams("`inputResponses` must be an object.");
  const responses = new Map(Object.entries(given ?? {}));
  if (transcript === undefined) return { transcript: NOTHING_ASKED, loose: responses };
  const asked = [...transcript.asked].map(([key, each]): [string, Asked] => [
    key,
    "answer" in each || !responses.has(key) ? each : { ...each, answer: responses.get(key) },
  ]);
  return { transcript: { ...transcript, asked: new Map(asked) }, loose: new Map() };
}
