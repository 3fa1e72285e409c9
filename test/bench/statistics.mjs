/** @param {readonly number[]} values @param {number} share 0.5 for the median, 0.99 for p99 */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 0.5);
}

/** Returns the interquartile range of the values, relative to the median. @param {readonly number[]} values */
export function spread(values) {
  return (percentile(values, 0.75) - percentile(values, 0.25)) / median(values);
}

/**
 * Measures every subject once per round, each round starting with another one, so that other work on the machine
 * affects all of them alike.
 *
 * @template Sample
 * @param {number} rounds @param {readonly string[]} names
 * @param {(name: string, round: number) => Promise<Sample>} measure
 * @returns {Promise<Map<string, Sample[]>>}
 */
export async function interleave(rounds, names, measure) {
  /** @type {Map<string, Sample[]>} */
  const samples = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const shift = round % names.length;
    for (const name of [...names.slice(shift), ...names.slice(0, shift)]) {
      samples.get(name)?.push(await measure(name, round));
    }
  }
  return samples;
}
