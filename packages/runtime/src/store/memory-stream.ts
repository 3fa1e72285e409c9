import type { StreamEntry, StreamPart } from "../api/store.js";

interface KeptEntry extends StreamEntry {
  /** The id of the entry before it, be that kept or not; empty of the first of all. */
  readonly previous: string;
}

/** One stream of a store in memory. */
export class MemoryStream {
  #entries: KeptEntry[] = [];
  #bytes = 0;
  readonly #waiting = new Set<() => void>();

  /** @param nextId gives greater numbers each time, in all streams: one that was forgotten does not begin again */
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
    let lost = 0;
    while (this.#bytes > maxBytes && lost < oldest) {
      this.#bytes -= Buffer.byteLength(this.#entries[lost]?.value ?? "");
      lost += 1;
    }
    this.#entries.splice(0, lost);
    for (const wake of [...this.#waiting]) wake();
    return ids;
  }

  read(after: string, limit: number): StreamPart {
    const start = after === "" ? 0 : this.#entries.findIndex(({ previous }) => previous === after);
    const entries = start < 0 ? this.#since(after) : this.#entries.slice(start);
    return {
      entries: entries.slice(0, limit).map(({ id, value }) => ({ id, value })),
      gap: start < 0 && this.#entries.at(-1)?.id !== after,
    };
  }

  /** Resolves at the next append, or after so many milliseconds, or when aborted. */
  nextAppend(waitMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(end);
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, waitMs);
      this.#waiting.add(end);
      signal.addEventListener("abort", end);
    });
  }

  #since(after: string): KeptEntry[] {
    return this.#entries.filter(({ id }) => Number(id) > Number(after));
  }
}
