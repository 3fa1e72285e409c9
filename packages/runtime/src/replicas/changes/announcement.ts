import { type Change, changeKey } from "../../api/notifier.js";
import type { StreamEntry } from "../../api/store.js";

/** What one replica announced in one turn. */
export interface Announcement {
  readonly from: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly changes: readonly Change[];
  /** There were more of them than could be kept. */
  readonly more?: boolean;
}

/** An announcement at its place among all. */
export interface PlacedAnnouncement extends Announcement {
  readonly id: string;
}

export function announcementOf({ id, value }: StreamEntry): PlacedAnnouncement {
  return { ...(JSON.parse(value) as Announcement), id };
}

/** Undefined where any may have happened. */
export function changesOf({ changes, more = false }: Announcement): readonly Change[] | undefined {
  return more ? undefined : changes;
}

/** Each change once; undefined where any may have happened. */
export function mergedChanges(announced: readonly Announcement[]): readonly Change[] | undefined {
  const merged = new Map<string, Change>();
  for (const { changes, more = false } of announced) {
    if (more) return undefined;
    for (const change of changes) merged.set(changeKey(change), change);
  }
  return [...merged.values()];
}
