import type { ReadOptions } from "../../api/store.js";
import { getRetryDelayMs, sleep } from "../../store/retry.js";

/** Entries of a stream, as `Store.read` returns them. */
export interface StreamEntries<Entry> {
  readonly entries: readonly Entry[];
  /** Whether entries were removed before they were read. */
  readonly missed: boolean;
}

export interface FollowOptions<Entry> {
  read(after: string, options: ReadOptions): Promise<StreamEntries<Entry>>;
  /** The ID of the last known entry. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** Returns how long to wait for entries, in milliseconds, after this many reads without entries. */
  getWaitMs(silentReads: number): number;
  /** Receives entries in their order. Returns true to stop reading. */
  onEntries(part: StreamEntries<Entry>): boolean | void;
  /** Called after each read without entries. If it rejects, it is retried. */
  onSilence?(): Promise<void>;
}

/** Reads a stream, starting after an entry, until aborted. Failed reads are retried. */
export async function followStream<Entry extends { readonly id: string }>(
  options: FollowOptions<Entry>,
): Promise<void> {
  const { signal, onEntries, onSilence } = options;
  let { after } = options;
  let silentReads = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const part = await options.read(after, { waitMs: options.getWaitMs(silentReads), signal });
      if (signal.aborted) return;
      failures = 0;
      after = part.entries.at(-1)?.id ?? (part.missed ? "" : after);
      if (part.entries.length > 0 || part.missed) {
        if (onEntries(part) === true) return;
      } else {
        silentReads++;
        await onSilence?.();
      }
    } catch {
      // The store has logged the error.
      await sleep(getRetryDelayMs(++failures), signal);
    }
  }
}
