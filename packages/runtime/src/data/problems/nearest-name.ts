/**
 * Returns the candidate most likely meant by a misspelled name, if one is near enough to suggest. The compiler and the
 * command line use it as well.
 *
 * @example
 * findNearestName("citty", ["city", "country"]) // "city"
 */
export function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const wanted = normalize(name);
  let nearest: string | undefined;
  // In a name of one letter, another letter is not a typo.
  let bestDistance = (name.length > 1 ? Math.max(1, Math.floor(name.length / 3)) : 0) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance || candidate.length > 96) continue;
    const distance = normalize(candidate) === wanted ? 0 : measureEditDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Removes the differences of the most common typos: case and word separators. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}

/** Counts the insertions, deletions, substitutions, and swaps of neighbors that turn one string into the other. */
function measureEditDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
