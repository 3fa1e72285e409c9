import { entriesOf, hashOf, type Entry, type Lists } from "./entries.js";

/** What an edit has changed of the lists. */
export interface Changes {
  /** By the hash of the entry. */
  marks: ReadonlyMap<string, "new" | "changed">;
  /** In words. */
  summary: string;
}

export const NO_CHANGES: Changes = { marks: new Map(), summary: "" };

const NO_LINES = { tools: {}, prompts: {}, resources: {} };

export function changesBetween(before: Lists, after: Lists): Changes {
  const old = new Map(entriesOf(before, NO_LINES).map((entry) => [hashOf(entry), entry]));
  const marks = new Map<string, "new" | "changed">();
  const said: string[] = [];
  for (const entry of entriesOf(after, NO_LINES)) {
    const hash = hashOf(entry);
    const previous = old.get(hash);
    old.delete(hash);
    if (previous && JSON.stringify(previous.definition) === JSON.stringify(entry.definition)) continue;
    marks.set(hash, previous ? "changed" : "new");
    said.push(`${previous ? "Changed" : "New"}: ${wordsFor(entry)}.`);
  }
  for (const entry of old.values()) said.push(`Gone: ${wordsFor(entry)}.`);
  return { marks, summary: said.join(" ") };
}

function wordsFor({ kind, name }: Entry): string {
  return `${kind} ${name}`;
}
