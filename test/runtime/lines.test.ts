import { isUtf8 } from "node:buffer";
import * as fc from "fast-check";
// Internal: lines are cut from bytes alike however these arrive, tested with random chunks.
import { LineReader, type UnusableLine } from "../../packages/runtime/src/transports/stdio/lines.js";
import { expect, test } from "vitest";

const LIMIT = 24;

/** Returns the lines of a stream, cut without regard to chunks. */
function splitLines(stream: Buffer): string[] {
  const found: string[] = [];
  for (let start = 0; start < stream.length;) {
    const newline = stream.indexOf(0x0a, start);
    const end = newline < 0 ? stream.length : newline;
    const line = stream.subarray(start, end);
    if (line.length > LIMIT) found.push("(too long)");
    else if (!isUtf8(line)) found.push("(not text)");
    else found.push(line.toString("utf8"));
    start = end + 1;
  }
  return found;
}

/** Returns the lines that a reader finds in chunks if it pauses after every `patience` lines. */
function split(chunks: readonly Buffer[], patience = Infinity): string[] {
  const found: string[] = [];
  const take = (line: string | UnusableLine): boolean => {
    found.push(typeof line === "string" ? line : `(${line.problem})`);
    return found.length % patience !== 0;
  };
  const reader = new LineReader(LIMIT);
  for (const chunk of chunks) {
    for (let rest: Buffer | undefined = chunk; rest !== undefined;) {
      reader.push(rest);
      let line = reader.next();
      while (line !== undefined && take(line)) line = reader.next();
      rest = line === undefined ? undefined : reader.takeRest();
    }
  }
  const last = reader.end();
  if (last !== undefined) take(last);
  return found;
}

const piece = fc.oneof(
  fc.constant(Buffer.from("\n")),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => Buffer.from(text)),
  fc.constantFrom("\ufffd", "\ufeff", "é", "😀", "\r").map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
  // A surrogate, an overlong form, a character cut short.
  fc.constantFrom([0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf0, 0x9f, 0x98]).map((bytes) => Buffer.from(bytes)),
);

test("lines are the same however the bytes arrive and however often the reader stops", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.concat(pieces)),
      fc.array(fc.nat({ max: 40 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (stream, sizes, patience) => {
        const chunks: Buffer[] = [];
        let start = 0;
        for (const size of sizes) {
          chunks.push(stream.subarray(start, start + size));
          start += size;
        }
        chunks.push(stream.subarray(start));
        expect(split(chunks)).toEqual(splitLines(stream));
        expect(split(chunks, patience)).toEqual(splitLines(stream));
      },
    ),
    { numRuns: 1000 },
  );
});
