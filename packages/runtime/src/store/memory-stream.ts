import type { StreamEntry, StreamPart } from "../api/store.js";

/** One stream of a store in memory. */
export class MemoryStream {
  #entries: StreamEntry[] = [];
  #bytes = 0;
  /** The id of the latest entry that is not kept any more. */
  #lostThrough = 0;
  #latest = 0;
  readonly #waiting = new Set<() => void>();

  /** @param nextId gives greater numbers each time, in all streams: one that was forgotten does not begin again */
  append(values: readonly string[], maxBytes: number, nextId: () => number): string[] {
    const added = values.map((value) => ({ id: String(nextId()), value }));
    for (const { value } of added) this.#bytes += value.length;
    this.#entries.push(...added);
    this.#latest = Number(added.at(-1)?.id ?? this.#latest);
    while (this.#bytes > maxBytes && this.#entries.length > added.length) {
      const [oldest] = this.#entries.splice(0, 1) as [StreamEntry];
      this.#bytes -= oldest.value.length;
      this.#lostThrough = Number(oldest.id);
    }
    for (const wake of [...this.#waiting]) wake();
    return added.map(({ id }) => id);
  }

  read(after: string, limit: number): StreamPart {
    const position = Number(after);
    const entries = this.#entries.filter(({ id }) => Number(id) > position).slice(0, limit);
    return { entries, gap: after !== "" && (position < this.#lostThrough || position > this.#latest) };
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
}
