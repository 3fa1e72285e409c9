/**
 * Replaces parts of secrets in text that was cut off, such as `"hunter2-sw"... is not valid JSON`.
 * @module
 */

/** The length of the sequences of characters by which parts of short and of long secrets are recognized. */
const SHORT = 4;
const LONG = 8;

/** The length from which a secret is long. Such a text may contain ordinary words, and a few characters reveal little of it. */
const MIN_LONG_CHARACTERS = 24;

/** The number of bits in the hash of a sequence. */
const HASH_BITS = 22;

/** Matches where text was cut off, with the quotation mark of the value. */
const CUT = /(\\?["'`]?(?:…|\.{3})\\?["'`]?)/;

/**
 * Creates a function that replaces the parts of secrets directly before and after the positions at which text was cut
 * off. It prepares the secrets on its first use. The time is proportional to the length of the secrets and of the text:
 * a part ends where a sequence of characters has a hash that no sequence of the secrets has. A part may therefore be
 * too long, but not too short.
 *
 * @example
 * createCutReplacement(new Set(["hunter2-9f8e7d"]))('got "hunter2-9f…', () => "(secret)") // 'got "(secret)…'
 */
export function createCutReplacement(
  secrets: ReadonlySet<string>,
): (text: string, toMask: (part: string) => string) => string {
  let hashes: Uint8Array | undefined;
  return (text, toMask) => {
    if (secrets.size === 0 || !CUT.test(text)) return text;
    const known = (hashes ??= hashSecrets(secrets));
    const pieces = text.split(CUT);
    const maskPart = (part: string): string => (part === "" ? "" : toMask(part));
    const replacePiece = (piece: string, index: number): string => {
      if (index % 2 === 1) return piece;
      const first = index === 0 ? 0 : countPart(known, piece, false);
      const last = index === pieces.length - 1 ? 0 : countPart(known, piece, true);
      const end = Math.max(first, piece.length - last);
      return maskPart(piece.slice(0, first)) + piece.slice(first, end) + maskPart(piece.slice(end));
    };
    return pieces.map(replacePiece).join("");
  };
}

/** Returns a secret as it is, without spaces around it, and as it is written in JSON, in URLs, and in forms. */
export function listSpellings(secret: string): string[] {
  // A surrogate without its pair cannot be encoded.
  const encodable = secret.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return [
    secret,
    secret.trim(),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(encodable),
    // Forms encode more characters, and a space as `+`.
    new URLSearchParams([["", encodable]]).toString().slice(1),
  ];
}

/** Marks the hashes of all sequences in the secrets. */
function hashSecrets(secrets: ReadonlySet<string>): Uint8Array {
  const hashes = new Uint8Array(2 ** HASH_BITS);
  for (const secret of secrets) {
    const size = secret.length < MIN_LONG_CHARACTERS ? SHORT : LONG;
    for (const spelling of new Set(listSpellings(secret)))
      for (let begin = 0; begin <= spelling.length - size; begin += 1)
        hashes[hash(spelling, begin, size)] = 1;
  }
  return hashes;
}

/** Returns the length of the part of a secret at the beginning or the end of a text, or 0 if there is none. */
function countPart(hashes: Uint8Array, text: string, isEnd: boolean): number {
  const counts = [SHORT, LONG].map((size) => {
    const max = text.length - size;
    let count = 0;
    while (count <= max && hashes[hash(text, isEnd ? max - count : count, size)] === 1) count += 1;
    return count === 0 ? 0 : count + size - 1;
  });
  return Math.max(...counts);
}

/** Returns the FNV hash of a sequence of characters. */
function hash(text: string, begin: number, size: number): number {
  let value = size;
  for (let index = begin; index < begin + size; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return value >>> (32 - HASH_BITS);
}
