const NEWLINE = 0x0a;

/** What a decoder puts where bytes are not UTF-8; it may also have been sent as such. */
const REPLACEMENT = "\ufffd";

/** What becomes of lines. Both return false to take no further line for the time being. */
export interface LineSink {
  /** `text` is one line without its newline. */
  line(text: string): boolean;
  /** A line went over the limit, and what is left of it is skipped; or it is not UTF-8. */
  unusable(problem: "too long" | "not text"): boolean;
}

export interface LineSplitter {
  /**
   * @returns What was left untouched because the sink asked to stop; it is to be pushed again later.
   */
  push(chunk: Buffer): Buffer | undefined;
  /** The stream has ended; a last line needs no newline. */
  end(): void;
}

/**
 * Cuts a byte stream into lines of text. Bytes are only joined and decoded once a line is whole, so that a long
 * line costs time linear in its length, no character is cut in two, and at most `limit` bytes are held. Lines
 * that arrive whole in one chunk are decoded together.
 *
 * @param limit how many bytes a line may have at most
 */
export function splitLines(limit: number, sink: LineSink): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;
  let isSkipping = false;

  const release = (): void => {
    if (held === 0) return;
    parts = [];
    held = 0;
  };

  const finish = (tail: Buffer): boolean => {
    if (isSkipping) {
      isSkipping = false;
      return true;
    }
    const isTooLong = held + tail.length > limit;
    const line = held === 0 || isTooLong ? tail : Buffer.concat([...parts, tail]);
    release();
    if (isTooLong) return sink.unusable("too long");
    const text = decode(line);
    return text === undefined ? sink.unusable("not text") : sink.line(text);
  };

  const hold = (part: Buffer): void => {
    if (isSkipping) return;
    if (held + part.length > limit) {
      isSkipping = true;
      release();
      sink.unusable("too long");
      return;
    }
    parts.push(part);
    held += part.length;
  };

  /** The same as `wholeLines` for lines of which one is too long or not UTF-8: each has to be looked at by itself. */
  const oneByOne = (chunk: Buffer, start: number, last: number): number | undefined => {
    for (let from = start; from <= last;) {
      const newline = chunk.indexOf(NEWLINE, from);
      const goOn = finish(chunk.subarray(from, newline));
      from = newline + 1;
      if (!goOn) return from;
    }
    return undefined;
  };

  /**
   * Passes on the lines from `start` to the newline at `last`, none of which began in an earlier chunk.
   *
   * @returns Where the sink asked to stop, if it did.
   */
  const wholeLines = (chunk: Buffer, start: number, last: number): number | undefined => {
    const text = last - start > limit ? undefined : decode(chunk.subarray(start, last));
    if (text === undefined) return oneByOne(chunk, start, last);
    for (let from = 0; ;) {
      const newline = text.indexOf("\n", from);
      const goOn = sink.line(newline < 0 ? text.slice(from) : text.slice(from, newline));
      if (newline < 0) return goOn ? undefined : last + 1;
      from = newline + 1;
      if (!goOn) return start + Buffer.byteLength(text.slice(0, from));
    }
  };

  return {
    push: (chunk) => {
      let start = 0;
      if (held > 0 || isSkipping) {
        const end = chunk.indexOf(NEWLINE);
        if (end >= 0) {
          const goOn = finish(chunk.subarray(0, end));
          start = end + 1;
          if (!goOn && start < chunk.length) return chunk.subarray(start);
        }
      }
      const last = chunk.lastIndexOf(NEWLINE);
      if (last >= start) {
        const stopped = wholeLines(chunk, start, last);
        if (stopped !== undefined && stopped < chunk.length) return chunk.subarray(stopped);
        start = last + 1;
      }
      if (start < chunk.length) hold(start === 0 ? chunk : chunk.subarray(start));
      return undefined;
    },
    end: () => {
      if (held > 0) finish(Buffer.alloc(0));
    },
  };
}

/** The text of bytes that are UTF-8 throughout: those, and only those, are the same when written back. */
function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return !text.includes(REPLACEMENT) || Buffer.from(text).equals(bytes) ? text : undefined;
}
