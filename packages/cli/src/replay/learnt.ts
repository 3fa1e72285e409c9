/** What an answer said otherwise than the recorded one, and a client that says it again would say otherwise, too. */
export interface Learnt {
  /** Remembers how the values of an answer differ that stand for something: ids, states, cursors and secrets. */
  learn(recorded: unknown, played: unknown): void;
  /** A request with what its client would have learnt. */
  apply<Value>(value: Value): Value;
  /** True where a secret that was masked is known again from an answer. */
  knows(mask: string): boolean;
}

const UUIDS = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
/** Long enough not to stand in another text by chance. */
const SHORTEST_PART = 12;

/** @param secrets what is known from the beginning */
export function createLearnt(secrets: ReadonlyMap<string, string> = new Map()): Learnt {
  const known = new Map(secrets);

  const learn = (recorded: unknown, played: unknown): void => {
    if (typeof recorded === "string" && typeof played === "string") {
      learnText(recorded, played);
      return;
    }
    if (typeof recorded !== "object" || typeof played !== "object" || !recorded || !played) return;
    for (const [name, each] of Object.entries(recorded))
      learn(each, (played as Record<string, unknown>)[name]);
  };
  const learnText = (recorded: string, played: string): void => {
    if (recorded === played) return;
    const [old, now] = [jsonIn(recorded), jsonIn(played)];
    if (old && now) {
      learn(old, now);
      return;
    }
    const [oldIds, newIds] = [recorded.match(UUIDS) ?? [], played.match(UUIDS) ?? []];
    if (oldIds.length === newIds.length) oldIds.forEach((id, index) => known.set(id, newIds[index] ?? id));
    if (isOpaque(recorded) && isOpaque(played)) known.set(recorded, played);
    if (isMask(recorded)) known.set(recorded, played);
  };
  const apply = (value: unknown): unknown => {
    if (typeof value === "string") return applyText(value);
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, apply(each)]));
  };
  const applyText = (text: string): string => {
    const whole = known.get(text);
    if (whole !== undefined) return whole;
    let result = text;
    for (const [old, now] of known)
      if (old.length >= SHORTEST_PART && result.includes(old)) result = result.replaceAll(old, () => now);
    return result;
  };
  return {
    learn,
    apply: <Value>(value: Value) => apply(value) as Value,
    knows: (mask) => known.has(mask),
  };
}

/** Such as an id, a cursor or an encrypted state: one word, with a digit in it. */
function isOpaque(text: string): boolean {
  return /^\S{8,}$/.test(text) && /\d/.test(text);
}

function isMask(text: string): boolean {
  return /^\(secret \d+\)$/.test(text);
}

function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return undefined;
  }
}
