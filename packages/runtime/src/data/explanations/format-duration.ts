const UNITS: readonly (readonly [ms: number, one: string, several: string])[] = [
  [86_400_000, "a day", "days"],
  [3_600_000, "an hour", "hours"],
  [60_000, "a minute", "minutes"],
  [1000, "a second", "seconds"],
];

/**
 * Formats a duration as text, without rounding.
 *
 * @example
 * formatDuration(60_000) // "a minute"
 * formatDuration(90_000) // "90 seconds"
 * formatDuration(250) // "250 ms"
 */
export function formatDuration(ms: number): string {
  const [size = 1, one = "", several = ""] = UNITS.find(([each]) => ms >= each && ms % each === 0) ?? [];
  if (several === "") return `${ms} ms`;
  return ms === size ? one : `${ms / size} ${several}`;
}
