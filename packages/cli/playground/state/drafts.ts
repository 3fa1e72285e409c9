import { signal, type Signal } from "@preact/signals";
import { initialArguments, type Arguments } from "../form/arguments-form.js";
import { hashOf, type Entry } from "./entries.js";

/**
 * What has been filled in, for each entry: it stays while others are looked at, after edits, and when the page is
 * loaded again.
 */
export interface Drafts {
  of(entry: Entry): Signal<Arguments>;
}

/** Longer ones are not kept for when the page is loaded again: browsers give a page 5 MB. */
const MOST_CHARACTERS = 200_000;

/** @param storage for as long as the page is open in its tab */
export function createDrafts(storage: Storage): Drafts {
  const drafts = new Map<string, Signal<Arguments>>();

  const keep = (key: string, value: Arguments): void => {
    const text = JSON.stringify(value);
    try {
      if (text.length > MOST_CHARACTERS) storage.removeItem(key);
      else storage.setItem(key, text);
    } catch {
      // There is no room; it stays until the page is loaded again.
    }
  };
  return {
    of(entry) {
      const key = hashOf(entry);
      const found = drafts.get(key);
      if (found) return found;
      const kept = storage.getItem(key);
      const draft = signal(kept === null ? initialArguments(entry.schema) : (JSON.parse(kept) as Arguments));
      const untouched = draft.value;
      draft.subscribe((value) => {
        if (value !== untouched) keep(key, value);
      });
      drafts.set(key, draft);
      return draft;
    },
  };
}
