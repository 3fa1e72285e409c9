/**
 * The candidate that a misspelt word most likely means, whatever its case; the first of several that are as near.
 *
 * @param tolerated how many letters may be wrong: a third of them, unless it is said
 * @returns undefined when no candidate is near enough
 * @example
 * nearest("minium", ["minimum", "maximum"]) // "minimum"
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  tolerated = Math.floor(word.length / 3),
): string | undefined {
  let best: string | undefined;
  let least = tolerated + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Letters inserted, left out, replaced, or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
