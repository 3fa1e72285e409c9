/** Maximum delay of file timestamps behind `Date.now()`: they advance in ticks of the system. */
export const CLOCK_TICK_MS = 20;
