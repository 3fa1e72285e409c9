import type { StreamEntry, StreamPart } from "../api/store.js";
import { sleep } from "./retry.js";

interface StoredEntry extends StreamEntry {
  /** The ID of the previous entry, which may no longer be stored. Empty for the first entry. */
  readonly previous: string;
}

/** One stream of a store in memory. */
export class MemoryStream {
  #entries: StoredEntry[] = [];
  #bytes = 0;
  readonly #waiters = new Set<() => void>();

  /**
   * @param nextId returns a greater number each time, across all streams, so that the IDs of an expired stream are not
   * reused
   */
  append(values: readonly string[], maxBytes: number, nextId: () => number): string[] {
    let previous = this.#entries.at(-1)?.id ?? "";
    const ids = values.map((value) => {
      const id = String(nextId());
      this.#entries.push({ id, value, previous });
      this.#bytes += Buffer.byteLength(value);
      previous = id;
      return id;
    });
    const oldest = this.#entries.length - values.length;
    let removedCount = 0;
    while (this.#bytes > maxBytes && removedCount < oldest) {
      this.#bytes -= Buffer.byteLength(this.#entries[removedCount]?.value ?? "");
      removedCount += 1;
    }
    this.#entries.splice(0, removedCount);
    for (const wake of [...this.#waiters]) wake();
    return ids;
  }

  read(after: string, limit: number): StreamPart {
    const start = after === "" ? 0 : this.#entries.findIndex(({ previous }) => previous === after);
    const entries = start < 0 ? this.#findEntriesAfter(after) : this.#entries.slice(start);
    return {
      entries: entries.slice(0, limit).map(({ id, value }) => ({ id, value })),
      missed: start < 0 && this.#entries.at(-1)?.id !== after,
    };
  }

  /** Resolves at the next append, after this many milliseconds, or when aborted. */
  waitForAppend(waitMs: number, signal: AbortSignal): Promise<void> {
    return sleep(waitMs, signal, this.#waiters);
  }

  #findEntriesAfter(after: string): StoredEntry[] {
    return this.#entries.filter(({ id }) => Number(id) > Number(after));
  }
}
