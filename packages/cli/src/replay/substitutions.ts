import { parseJsonText } from "../compare/json/json-in-text.js";

/** Maps recorded IDs, cursors, states, and secrets to their values in this replay. */
export interface Substitutions {
  /** Records IDs, states, cursors, and secrets that differ between a recorded response and that of this replay. */
  learn(recorded: unknown, replayed: unknown): void;
  /** Returns a value in which the recorded strings are replaced with those of this replay. */
  apply<Value>(value: Value): Value;
  /** Returns whether the values of the masked secrets in a string are known. */
  knows(text: string): boolean;
}

const UUIDS = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
const MASKS = /\(secret \d+\)/g;
/** Minimum length of a string that is replaced inside longer strings. Shorter ones may occur there by chance. */
const MIN_PART_CHARACTERS = 12;

/**
 * Creates the substitutions.
 *
 * @param secrets the initially known values, by their masks
 */
export function createSubstitutions(secrets: ReadonlyMap<string, string> = new Map()): Substitutions {
  const known = new Map(secrets);

  const learn = (recorded: unknown, replayed: unknown): void => {
    if (typeof recorded === "string" && typeof replayed === "string") {
      learnText(recorded, replayed);
      return;
    }
    if (typeof recorded !== "object" || typeof replayed !== "object" || !recorded || !replayed) return;
    for (const [name, each] of Object.entries(recorded))
      learn(each, (replayed as Record<string, unknown>)[name]);
  };
  const learnText = (recorded: string, replayed: string): void => {
    if (recorded === replayed) return;
    const [old, now] = [parseJsonText(recorded), parseJsonText(replayed)];
    if (old && now) {
      learn(old, now);
      return;
    }
    const [oldIds, newIds] = [recorded.match(UUIDS) ?? [], replayed.match(UUIDS) ?? []];
    if (oldIds.length === newIds.length) oldIds.forEach((id, index) => known.set(id, newIds[index] ?? id));
    if (isOpaque(recorded) && isOpaque(replayed)) known.set(recorded, replayed);
    if (isMask(recorded)) known.set(recorded, replayed);
  };
  const apply = (value: unknown): unknown => {
    if (typeof value === "string") return applyText(value);
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== "object" || value === null) return value;
    // A name is replaced only if it is masked: it may equal a recorded ID by chance.
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [isMask(name) ? applyText(name) : name, apply(each)]),
    );
  };
  const applyText = (text: string): string => {
    const whole = known.get(text);
    if (whole !== undefined) return whole;
    let result = text;
    for (const [old, now] of known)
      if ((old.length >= MIN_PART_CHARACTERS || isMask(old)) && result.includes(old))
        result = result.replaceAll(old, () => now);
    return result;
  };
  return {
    learn,
    apply: <Value>(value: Value) => apply(value) as Value,
    knows: (text) => (text.match(MASKS) ?? [text]).every((each) => known.has(each)),
  };
}

/** Returns whether a string may be an ID, a cursor, or an encrypted state: one word that contains a digit. */
function isOpaque(text: string): boolean {
  return /^\S{8,}$/.test(text) && /\d/.test(text);
}

function isMask(text: string): boolean {
  return /^\(secret \d+\)$/.test(text);
}
