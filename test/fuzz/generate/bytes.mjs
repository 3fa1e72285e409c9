/** @import { Random } from "./random.mjs" */

const BAD_UTF8 = [
  "\xff\xfe",
  "\xc0\xaf",
  "\xed\xa0\x80",
  "\xf4\x90\x80\x80",
  "\xe2\x82",
  "\x80",
  "\xef\xbb\xbf",
];
const BITS = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\",
  "\\u0000",
  "\\ud800",
  "\r",
  "\0",
  "\t",
  "null",
  "1e999",
  " ",
];

/**
 * Changes a few bytes.
 *
 * @param {string} bytes One character for each byte.
 * @param {Random} random
 */
export function mutate(bytes, random) {
  let changed = bytes;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(changed.length + 1);
    const end = Math.min(changed.length, at + random.below(8));
    changed = random.pick([
      () => changed.slice(0, at) + changed.slice(end),
      () => changed.slice(0, at) + random.pick(BITS) + changed.slice(at),
      () => changed.slice(0, at) + random.pick(BAD_UTF8) + changed.slice(at),
      () => changed.slice(0, at) + changed.slice(at, end).repeat(3) + changed.slice(end),
      () => changed.slice(0, at),
      () => changed.slice(0, at) + String.fromCharCode(random.below(256)) + changed.slice(at + 1),
    ])();
  }
  return changed;
}

/** Returns the bytes of a string with one character per byte. @param {string} text */
export function toBytes(text) {
  return Buffer.from(text).toString("latin1");
}

/**
 * Splits bytes into chunks that are sent one after another.
 *
 * @param {string} bytes
 * @param {Random} random
 * @returns {string[]}
 */
export function split(bytes, random) {
  if (bytes.length < 2 || !random.chance(0.2)) return [bytes];
  const at = 1 + random.below(bytes.length - 1);
  return [bytes.slice(0, at), ...split(bytes.slice(at), random)];
}
