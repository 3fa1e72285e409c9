/**
 * What was announced since a client last heard of changes: mostly a moment ago, which is remembered; else it is read.
 * @module
 */
import type { Store } from "../../api/store.js";
import { announcementOf, type PlacedAnnouncement } from "./announcement.js";

/** How many announcements are remembered. */
const MOST_RECENT = 1000;

/** How far the clocks of processes may be apart, in milliseconds. */
const SKEW_MS = 1000;

/** Where to begin: behind an announcement, or at a time (in milliseconds since 1970). */
export type ChangesStart = { readonly after: string } | { readonly since: number };

export interface AnnouncementsSince {
  /** The place before them. */
  readonly from: string;
  /** Undefined where any may be missing. */
  readonly announced: readonly PlacedAnnouncement[] | undefined;
  /** The place behind them. */
  readonly place: string;
}

/** The latest announcements that this process has heard. */
export class RecentAnnouncements {
  #recent: PlacedAnnouncement[] = [];
  /** They are all that came behind this place. */
  #from: { readonly id: string; readonly at: number } | undefined;

  /** @param id the place from which on this process hears all */
  begin(id: string): void {
    this.#recent = [];
    this.#from = { id, at: Date.now() };
  }

  /** Some were not heard. */
  lose(): void {
    this.#recent = [];
    this.#from = undefined;
  }

  add(announced: PlacedAnnouncement): void {
    this.#recent.push(announced);
    if (this.#recent.length > MOST_RECENT) this.#from = this.#recent.shift();
  }

  /** Undefined where what is remembered does not go back so far. */
  since(start: ChangesStart): AnnouncementsSince | undefined {
    if (this.#from === undefined) return undefined;
    const recent = this.#recent;
    const first = this.#indexOf(start, this.#from);
    if (first === undefined) return undefined;
    const { id } = this.#from;
    return {
      from: recent[first - 1]?.id ?? id,
      announced: recent.slice(first),
      place: recent.at(-1)?.id ?? id,
    };
  }

  #indexOf(start: ChangesStart, from: { readonly id: string; readonly at: number }): number | undefined {
    if ("since" in start) return start.since < from.at ? undefined : indexAt(this.#recent, start.since);
    if (start.after === from.id) return 0;
    const last = this.#recent.findLastIndex(({ id }) => id === start.after);
    return last < 0 ? undefined : last + 1;
  }
}

/** Reads what was announced from the store. */
export async function readSince(
  store: Store,
  stream: string,
  start: ChangesStart,
): Promise<AnnouncementsSince> {
  const from = "after" in start ? start.after : "";
  const announced: PlacedAnnouncement[] = [];
  let place = from;
  let hasGap = false;
  for (;;) {
    const { entries, gap } = await store.read(stream, place);
    hasGap ||= gap;
    if (entries.length === 0 && (!gap || place === "")) break;
    announced.push(...entries.map(announcementOf));
    place = entries.at(-1)?.id ?? "";
  }
  if ("after" in start) {
    return { from, announced: hasGap || from === "" ? undefined : announced, place };
  }
  const [oldest] = announced;
  if (oldest === undefined || oldest.at > start.since) return { from, announced: undefined, place };
  const first = indexAt(announced, start.since);
  return { from: announced[first - 1]?.id ?? from, announced: announced.slice(first), place };
}

/** The first that may have come after a time. */
function indexAt(announced: readonly PlacedAnnouncement[], time: number): number {
  const first = announced.findIndex(({ at }) => at >= time - SKEW_MS);
  return first < 0 ? announced.length : first;
}
