const NEWLINE = 0x0a;

/** What a decoder puts where bytes are not UTF-8; it may also have been sent as such. */
const REPLACEMENT = "\ufffd";

/** What a chunk of a byte stream ends: whole lines, or the news that one is unusable. */
export interface LineSink {
  /**
   * `text` is one line without its newline.
   *
   * @returns False to take no further line for the time being.
   */
  line(text: string): boolean;
  /**
   * A line is not UTF-8.
   *
   * @returns False to take no further line for the time being.
   */
  notText(): boolean;
  /** The current line went over the limit; the rest of it is skipped. */
  tooLong(): void;
}

/**
 * Cuts a byte stream into lines of text. Bytes are only joined and decoded once a line is whole, so that a long
 * line costs time linear in its length, no character is cut in two, and at most `limit` bytes are held. Lines
 * that arrive whole in one chunk are decoded together.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #held = 0;
  #skipping = false;

  /** `limit` is how many bytes a line may have at most. */
  constructor(limit: number, sink: LineSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  /**
   * @returns What was left untouched because the sink asked to stop; it is to be pushed again later.
   */
  push(chunk: Buffer): Buffer | undefined {
    let start = 0;
    if (this.#held > 0 || this.#skipping) {
      const end = chunk.indexOf(NEWLINE);
      if (end >= 0) {
        const goOn = this.#finish(chunk.subarray(0, end));
        start = end + 1;
        if (!goOn && start < chunk.length) return chunk.subarray(start);
      }
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= start) {
      const stopped = this.#wholeLines(chunk, start, last);
      if (stopped !== undefined && stopped < chunk.length) return chunk.subarray(stopped);
      start = last + 1;
    }
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start));
    return undefined;
  }

  /** The stream has ended; a last line needs no newline. */
  end(): void {
    if (this.#held > 0) this.#finish(Buffer.alloc(0));
  }

  /**
   * Passes on the lines from `start` to the newline at `last`, none of which began in an earlier chunk.
   *
   * @returns Where the sink asked to stop, if it did.
   */
  #wholeLines(chunk: Buffer, start: number, last: number): number | undefined {
    const text = last - start > this.#limit ? undefined : decode(chunk.subarray(start, last));
    if (text === undefined) return this.#oneByOne(chunk, start, last);
    for (let from = 0; ;) {
      const newline = text.indexOf("\n", from);
      const goOn = this.#sink.line(newline < 0 ? text.slice(from) : text.slice(from, newline));
      if (newline < 0) return goOn ? undefined : last + 1;
      from = newline + 1;
      if (!goOn) return start + Buffer.byteLength(text.slice(0, from));
    }
  }

  /** The same for lines of which one is too long or not UTF-8: each has to be looked at by itself. */
  #oneByOne(chunk: Buffer, start: number, last: number): number | undefined {
    for (let from = start; from <= last;) {
      const newline = chunk.indexOf(NEWLINE, from);
      const goOn = this.#finish(chunk.subarray(from, newline));
      from = newline + 1;
      if (!goOn) return from;
    }
    return undefined;
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
    const text = decode(line);
    return text === undefined ? this.#sink.notText() : this.#sink.line(text);
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

/** The text of bytes that are UTF-8 throughout: those, and only those, are the same when written back. */
function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return !text.includes(REPLACEMENT) || Buffer.from(text).equals(bytes) ? text : undefined;
}
