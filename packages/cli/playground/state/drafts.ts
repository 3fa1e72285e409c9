import { signal, type Signal } from "@preact/signals";
import { initialArguments, type Arguments } from "../form/arguments-form.js";
import { hashOf, type Entry } from "./entries.js";

/** What has been filled in and not sent yet, for each entry: it stays while others are looked at, and after edits. */
export interface Drafts {
  of(entry: Entry): Signal<Arguments>;
}

export function createDrafts(): Drafts {
  const drafts = new Map<string, Signal<Arguments>>();
  return {
    of(entry) {
      const key = hashOf(entry);
      const found = drafts.get(key) ?? signal(initialArguments(entry.schema));
      drafts.set(key, found);
      return found;
    },
  };
}
