import { toEntries, toHash, type Entry, type Lists } from "./entries.js";

/** The changes to the lists after an edit. */
export interface Changes {
  /** The new and changed entries, by their hash. */
  marks: ReadonlyMap<string, "new" | "changed">;
  /** The changes as a message. */
  summary: string;
}

export const NO_CHANGES: Changes = { marks: new Map(), summary: "" };

const NO_LINES = { tools: {}, prompts: {}, resources: {} };

export function compareLists(before: Lists, after: Lists): Changes {
  const old = new Map(toEntries(before, NO_LINES).map((entry) => [toHash(entry), entry]));
  const marks = new Map<string, "new" | "changed">();
  const parts: string[] = [];
  for (const entry of toEntries(after, NO_LINES)) {
    const hash = toHash(entry);
    const previous = old.get(hash);
    old.delete(hash);
    if (previous && JSON.stringify(previous.definition) === JSON.stringify(entry.definition)) continue;
    marks.set(hash, previous ? "changed" : "new");
    parts.push(`${previous ? "Changed" : "New"}: ${formatEntry(entry)}.`);
  }
  for (const entry of old.values()) parts.push(`Removed: ${formatEntry(entry)}.`);
  return { marks, summary: parts.join(" ") };
}

function formatEntry({ kind, name }: Entry): string {
  return `${kind} ${name}`;
}
