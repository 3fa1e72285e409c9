/** Maximum time by which file timestamps lag behind `Date.now()`, in milliseconds: they advance in ticks of the system. */
export const CLOCK_TICK_MS = 20;
