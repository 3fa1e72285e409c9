/**
 * Replaces parts of secrets in text that was cut off, such as `"hunter2-sw"... is not valid JSON`.
 * @module
 */

/** The minimum length of a part that is recognized. */
const MIN_PART_CHARACTERS = 4;

/** The total length of the secrets above which only the beginning of each secret is searched. */
const MAX_SEARCHED_CHARACTERS = 100_000;

/** Matches where text was cut off, with the quotation mark of the value. */
const CUT = /(\\?["'`]?(?:…|\.{3})\\?["'`]?)/;

/**
 * Creates a function that replaces the parts of secrets directly before and after the positions at which text was cut
 * off. It prepares the secrets on its first use.
 *
 * @example
 * createCutReplacement(new Set(["hunter2-9f8e7d"]))('got "hunter2-9f…', () => "(secret)") // 'got "(secret)…'
 */
export function createCutReplacement(
  secrets: ReadonlySet<string>,
): (text: string, toMask: (part: string) => string) => string {
  let searched: string | undefined;
  return (text, toMask) => {
    if (secrets.size === 0 || !CUT.test(text)) return text;
    const all = (searched ??= joinSearched(secrets));
    const pieces = text.split(CUT);
    const replacePiece = (piece: string, index: number): string => {
      if (index % 2 === 1) return piece;
      const first = index === 0 ? 0 : countPart(piece, (length) => all.includes(piece.slice(0, length)));
      const rest = piece.slice(first);
      const isLast = index === pieces.length - 1;
      const last = isLast ? 0 : countPart(rest, (length) => all.includes(rest.slice(-length)));
      const end = rest.length - last;
      return (
        (first === 0 ? "" : toMask(piece.slice(0, first))) +
        rest.slice(0, end) +
        (last === 0 ? "" : toMask(rest.slice(end)))
      );
    };
    return pieces.map(replacePiece).join("");
  };
}

/** Joins the secrets, as they are and as JSON, into one string, which contains every part of a secret. */
function joinSearched(secrets: ReadonlySet<string>): string {
  const max = Math.floor(MAX_SEARCHED_CHARACTERS / secrets.size);
  return [...secrets]
    .map((secret) => secret.slice(0, max))
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .join("\n");
}

/** Returns the length of the longest part of a text that fits, or 0 if not even the shortest part does. */
function countPart({ length: max }: string, fits: (length: number) => boolean): number {
  let length = MIN_PART_CHARACTERS;
  while (length <= max && fits(length)) length += 1;
  return length === MIN_PART_CHARACTERS ? 0 : length - 1;
}
