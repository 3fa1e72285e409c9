import { type Change, getChangeKey } from "../../api/notifier.js";
import type { StreamEntry } from "../../api/store.js";

/** The changes that one replica announced in one turn. */
export interface ChangeEvent {
  readonly from: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  readonly changes: readonly Change[];
  /** Whether there were more changes than could be stored. */
  readonly hasMore?: boolean;
}

/** A change event with its ID in the stream. */
export interface StoredChangeEvent extends ChangeEvent {
  readonly id: string;
}

/** Returns the text of an event in place of one that this process cannot read, after which anything may have changed. */
export function writeUnreadableEvent(): string {
  const event: ChangeEvent = { from: "", at: Date.now(), changes: [], hasMore: true };
  return JSON.stringify(event);
}

/** Reads a change event from an entry of the store. */
export function readChangeEvent({ id, value }: StreamEntry): StoredChangeEvent {
  return { ...(JSON.parse(value) as ChangeEvent), id };
}

/** Returns the changes of an event; undefined if unlisted changes may have happened. */
export function getChanges({ changes, hasMore = false }: ChangeEvent): readonly Change[] | undefined {
  return hasMore ? undefined : changes;
}

/** Returns each change of several events once; undefined if unlisted changes may have happened. */
export function mergeChanges(announced: readonly ChangeEvent[]): readonly Change[] | undefined {
  const merged = new Map<string, Change>();
  for (const { changes, hasMore = false } of announced) {
    if (hasMore) return undefined;
    for (const change of changes) merged.set(getChangeKey(change), change);
  }
  return [...merged.values()];
}
