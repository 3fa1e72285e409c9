import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { toHash, createUnlistedEntry, type Entry } from "./entries.js";

/** The selected entry. The address contains it, so that going back and reloading work. */
export interface Selection {
  readonly entry: ReadonlySignal<Entry | undefined>;
  /** The name in the address, if no entry has it. */
  readonly notFound: ReadonlySignal<string | undefined>;
  /** The visible pane on narrow screens, which show one at a time. */
  readonly pane: ReadonlySignal<Pane>;
  show(pane: Pane): void;
  select(entry: Pick<Entry, "kind" | "key">): void;
}

export type Pane = "list" | "entry" | "messages";

export function createSelection(entries: ReadonlySignal<readonly Entry[]>): Selection {
  const hash = signal(location.hash);
  const pane = signal<Pane>(location.hash.length > 1 ? "entry" : "list");
  addEventListener("hashchange", () => {
    hash.value = location.hash;
    pane.value = location.hash.length > 1 ? "entry" : "list";
  });
  const entry = computed(() => {
    const found = entries.value.find((each) => toHash(each) === hash.value);
    // The server may have a resource that it does not list.
    const [, uri] = /^#resource\/(.+)$/.exec(hash.value) ?? [];
    return found ?? (uri && entries.value.length > 0 ? createUnlistedEntry(decodeUri(uri)) : undefined);
  });
  return {
    entry,
    notFound: computed(() =>
      entry.value ? undefined : decodeUri(hash.value.slice(1)).replace("/", " ") || undefined,
    ),
    pane,
    show: (next) => {
      pane.value = next;
    },
    select: (entry) => {
      location.hash = toHash(entry);
      pane.value = "entry";
    },
  };
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
