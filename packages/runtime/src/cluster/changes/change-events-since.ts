/**
 * Finds the changes since a client last received any. Recent ones are in memory; earlier ones are read from the store.
 * @module
 */
import type { StreamPart } from "../../api/store.js";
import { readChangeEvent, type StoredChangeEvent } from "./change-event.js";

/** Maximum number of events in memory. */
const MAX_RECENT_EVENTS = 1000;

/** The maximum difference between the clocks of processes, in milliseconds. */
const MAX_SKEW_MS = 1000;

/** The start of a search: after an event, or at a time (in milliseconds since 1970). */
export type ChangesStart = { readonly after: string } | { readonly since: number };

export interface ChangeEventsSince {
  /** The cursor before the events. */
  readonly from: string;
  /** The events. Undefined if some may be missing. */
  readonly events: readonly StoredChangeEvent[] | undefined;
  /** The cursor after the events. */
  readonly cursor: string;
}

/** The latest events that this process has received. */
export class RecentChangeEvents {
  #recent: StoredChangeEvent[] = [];
  /** The cursor after which no event is missing. */
  #from: { readonly id: string; readonly at: number } | undefined;

  /**
   * Starts without events.
   *
   * @param id the cursor after which this process receives all events
   */
  begin(id: string): void {
    this.#recent = [];
    this.#from = { id, at: Date.now() };
  }

  /** Forgets all events, because some were missed. */
  clear(): void {
    this.#recent = [];
    this.#from = undefined;
  }

  add(event: StoredChangeEvent): void {
    this.#recent.push(event);
    if (this.#recent.length > MAX_RECENT_EVENTS) this.#from = this.#recent.shift();
  }

  /** Returns the events in memory; undefined if they do not reach back to the start. */
  findSince(start: ChangesStart): ChangeEventsSince | undefined {
    if (this.#from === undefined) return undefined;
    const recent = this.#recent;
    const first = this.#findIndex(start, this.#from);
    if (first === undefined) return undefined;
    const { id } = this.#from;
    return {
      from: recent[first - 1]?.id ?? id,
      events: recent.slice(first),
      cursor: recent.at(-1)?.id ?? id,
    };
  }

  #findIndex(start: ChangesStart, from: { readonly id: string; readonly at: number }): number | undefined {
    if ("since" in start) return start.since < from.at ? undefined : findIndexAt(this.#recent, start.since);
    if (start.after === from.id) return 0;
    const last = this.#recent.findLastIndex(({ id }) => id === start.after);
    return last < 0 ? undefined : last + 1;
  }
}

/**
 * Reads events from the store.
 *
 * @param read reads the entries of the stream after an entry
 */
export async function readSince(
  read: (after: string) => Promise<StreamPart>,
  start: ChangesStart,
): Promise<ChangeEventsSince> {
  const from = "after" in start ? start.after : "";
  const events: StoredChangeEvent[] = [];
  let cursor = from;
  let hasMissed = false;
  for (;;) {
    const { entries, missed } = await read(cursor);
    hasMissed ||= missed;
    if (entries.length === 0 && (!missed || cursor === "")) break;
    events.push(...entries.map(readChangeEvent));
    cursor = entries.at(-1)?.id ?? "";
  }
  if ("after" in start) return { from, events: hasMissed || from === "" ? undefined : events, cursor };
  const [oldest] = events;
  if (oldest === undefined || oldest.at > start.since) return { from, events: undefined, cursor };
  const first = findIndexAt(events, start.since);
  return { from: events[first - 1]?.id ?? from, events: events.slice(first), cursor };
}

/** Returns the index of the first event that may have happened after a time. */
function findIndexAt(events: readonly StoredChangeEvent[], time: number): number {
  const first = events.findIndex(({ at }) => at >= time - MAX_SKEW_MS);
  return first < 0 ? events.length : first;
}
