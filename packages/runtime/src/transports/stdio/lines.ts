/// <reference types="node" preserve="true" />
const NEWLINE = 0x0a;

/** The character that a decoder inserts for bytes that are not UTF-8. A client may also have sent it. */
const REPLACEMENT = "\ufffd";

const NOTHING = Buffer.alloc(0);

/** A line that cannot be used: one over the limit, of which the rest is skipped, or one that is not UTF-8. */
export interface UnusableLine {
  readonly problem: "too long" | "not text";
}

const TOO_LONG: UnusableLine = { problem: "too long" };
const NOT_TEXT: UnusableLine = { problem: "not text" };

/**
 * Splits a byte stream into lines of text, without newlines. Bytes are joined and decoded only when a line is complete.
 * Therefore a long line takes linear time, no character is split, and at most `limit` bytes are in memory. Lines that arrive
 * in one chunk are decoded together.
 *
 * @example
 * const reader = new LineReader(1024);
 * reader.push(Buffer.from("{}\n"));
 * for (let line = reader.next(); line !== undefined; line = reader.next()) console.log(line);
 */
export class LineReader {
  readonly #limit: number;
  /** The beginning of a line, from earlier chunks. */
  #parts: Buffer[] = [];
  #heldBytes = 0;
  #isSkipping = false;
  #chunk: Buffer = NOTHING;
  /** The first byte of the chunk that is not yet in a line or in `text`. */
  #position = 0;
  /** Lines of the chunk that were decoded together. */
  #text: string | undefined;
  #textPosition = 0;
  /** Whether a line of the chunk is too long or not UTF-8, so that each is decoded separately. */
  #isMixed = false;

  /** @param limit maximum number of bytes in a line */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk, after all lines of the previous one were read. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#position = 0;
    this.#isMixed = false;
  }

  /** Returns the next line; undefined if it needs another chunk. */
  next(): string | UnusableLine | undefined {
    if (this.#text !== undefined) return this.#takeDecodedLine(this.#text);
    while (this.#position < this.#chunk.length) {
      if (this.#decodeLines()) return this.next();
      const start = this.#position;
      const newline = this.#chunk.indexOf(NEWLINE, start);
      this.#position = newline < 0 ? this.#chunk.length : newline + 1;
      const line = newline < 0 ? this.#buffer(start) : this.#finish(this.#chunk.subarray(start, newline));
      if (line !== undefined) return line;
    }
    return undefined;
  }

  /** Returns the bytes after the last line that was read, for a reader that pauses; undefined if there are none. */
  takeRest(): Buffer | undefined {
    const decoded = this.#text?.slice(this.#textPosition);
    const start = decoded === undefined ? this.#position : this.#position - Buffer.byteLength(decoded) - 1;
    const rest = this.#chunk.subarray(start);
    this.#chunk = NOTHING;
    this.#text = undefined;
    return rest.length === 0 ? undefined : rest;
  }

  /** Returns the last line of a stream that has ended, which needs no newline. */
  end(): string | UnusableLine | undefined {
    return this.#heldBytes > 0 ? this.#finish(NOTHING) : undefined;
  }

  /** Decodes all complete lines of the chunk at once, if none began in an earlier chunk. */
  #decodeLines(): boolean {
    if (this.#heldBytes > 0 || this.#isSkipping || this.#isMixed) return false;
    const last = this.#chunk.lastIndexOf(NEWLINE);
    if (last < this.#position) return false;
    if (last - this.#position <= this.#limit) this.#text = decode(this.#chunk.subarray(this.#position, last));
    this.#isMixed = this.#text === undefined;
    if (this.#isMixed) return false;
    this.#textPosition = 0;
    this.#position = last + 1;
    return true;
  }

  #takeDecodedLine(text: string): string {
    const start = this.#textPosition;
    const newline = text.indexOf("\n", start);
    this.#textPosition = newline + 1;
    if (newline >= 0) return text.slice(start, newline);
    this.#text = undefined;
    return text.slice(start);
  }

  #finish(tail: Buffer): string | UnusableLine | undefined {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return undefined;
    }
    const isTooLong = this.#heldBytes + tail.length > this.#limit;
    const line = this.#heldBytes === 0 || isTooLong ? tail : Buffer.concat([...this.#parts, tail]);
    this.#release();
    return isTooLong ? TOO_LONG : (decode(line) ?? NOT_TEXT);
  }

  #buffer(start: number): UnusableLine | undefined {
    if (this.#isSkipping) return undefined;
    const part = start === 0 ? this.#chunk : this.#chunk.subarray(start);
    if (this.#heldBytes + part.length > this.#limit) {
      this.#isSkipping = true;
      this.#release();
      return TOO_LONG;
    }
    this.#parts.push(part);
    this.#heldBytes += part.length;
    return undefined;
  }

  #release(): void {
    if (this.#heldBytes === 0) return;
    this.#parts = [];
    this.#heldBytes = 0;
  }
}

/** Returns the text of bytes that are valid UTF-8: only those are the same after encoding the text again. */
function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return !text.includes(REPLACEMENT) || Buffer.from(text).equals(bytes) ? text : undefined;
}
