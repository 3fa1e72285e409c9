import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { hashOf, unlistedEntry, type Entry } from "./entries.js";

/** Which entry is looked at. It is in the address, so that going back and reloading work. */
export interface Selection {
  readonly entry: ReadonlySignal<Entry | undefined>;
  /** What the address names, where there is no such entry. */
  readonly notFound: ReadonlySignal<string | undefined>;
  /** On narrow screens one pane is seen at a time. */
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
    const found = entries.value.find((each) => hashOf(each) === hash.value);
    // A server may know a resource that it does not list.
    const [, uri] = /^#resource\/(.+)$/.exec(hash.value) ?? [];
    return found ?? (uri && entries.value.length > 0 ? unlistedEntry(decoded(uri)) : undefined);
  });
  return {
    entry,
    notFound: computed(() =>
      entry.value ? undefined : decoded(hash.value.slice(1)).replace("/", " ") || undefined,
    ),
    pane,
    show: (next) => {
      pane.value = next;
    },
    select: (entry) => {
      location.hash = hashOf(entry);
      pane.value = "entry";
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
