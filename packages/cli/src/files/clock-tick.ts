/**
 * By so many milliseconds the clock that files are stamped with may be behind `Date.now()`: it goes on in ticks of the
 * system.
 */
export const CLOCK_TICK_MS = 20;
