const NEWLINE = 0x0a;

/** What a chunk of a byte stream ends: whole lines, or the news that one is too long. */
export interface LineSink {
  /**
   * `bytes` is one line without its newline; it is only valid during the call.
   *
   * @returns False to take no further line for the time being.
   */
  line(bytes: Buffer): boolean;
  /** The current line went over the limit; the rest of it is skipped. */
  tooLong(): void;
}

/**
 * Cuts a byte stream into lines. Bytes are only joined once a line is whole, so a long line costs time linear
 * in its length, and at most `limit` bytes are held.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(limit: number, sink: LineSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  /**
   * @returns What was left untouched because the sink asked to stop; it is to be pushed again later.
   */
  push(chunk: Buffer): Buffer | undefined {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      const goOn = this.#finish(chunk.subarray(start, end));
      start = end + 1;
      if (!goOn && start < chunk.length) return chunk.subarray(start);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return undefined;
  }

  /** The stream has ended; a last line needs no newline. */
  end(): void {
    if (this.#held > 0) this.#finish(Buffer.alloc(0));
  }

  #finish(tail: Buffer): boolean {
    if (this.#skipping) {
      this.#skipping = false;
      return true;
    }
    if (this.#held + tail.length > this.#limit) {
      this.#release();
      this.#sink.tooLong();
      return true;
    }
    const line = this.#held === 0 ? tail : Buffer.concat([...this.#parts, tail]);
    this.#release();
    return this.#sink.line(line);
  }

  #hold(part: Buffer): void {
    if (this.#skipping) return;
    if (this.#held + part.length > this.#limit) {
      this.#skipping = true;
      this.#release();
      this.#sink.tooLong();
      return;
    }
    this.#parts.push(part);
    this.#held += part.length;
  }

  #release(): void {
    if (this.#held === 0) return;
    this.#parts = [];
    this.#held = 0;
  }
}
