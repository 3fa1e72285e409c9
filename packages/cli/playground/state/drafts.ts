import { signal, type Signal } from "@preact/signals";
import { getInitialArguments } from "../form/arguments-form.js";
import type { Arguments } from "../form/schema.js";
import { omitSecrets } from "../form/secrets.js";
import { toHash, type Entry } from "./entries.js";

/**
 * The input of each entry. It survives the selection of other entries, edits, and reloads of the page, except that secrets
 * are not stored for a reload.
 */
export interface Drafts {
  get(entry: Entry): Signal<Arguments>;
}

/** Maximum length of a draft that survives a reload, since browsers limit a page to 5 MB. */
const MAX_CHARACTERS = 200_000;

/**
 * Creates the drafts.
 *
 * @param storage the storage of the browser tab
 */
export function createDrafts(storage: Storage): Drafts {
  const drafts = new Map<string, Signal<Arguments>>();

  const store = (key: string, value: Arguments): void => {
    const text = JSON.stringify(value);
    try {
      if (text.length > MAX_CHARACTERS) storage.removeItem(key);
      else storage.setItem(key, text);
    } catch {
      // The storage is full; the draft is lost on reload.
    }
  };
  return {
    get(entry) {
      const key = toHash(entry);
      const found = drafts.get(key);
      if (found) return found;
      const stored = storage.getItem(key);
      const draft = signal(
        stored === null ? getInitialArguments(entry.schema) : (JSON.parse(stored) as Arguments),
      );
      const untouched = draft.value;
      draft.subscribe((value) => {
        if (value !== untouched) store(key, omitSecrets(value, entry.schema));
      });
      drafts.set(key, draft);
      return draft;
    },
  };
}
