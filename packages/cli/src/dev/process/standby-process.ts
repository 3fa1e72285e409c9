import type { Host } from "./server-process.js";

/** Keeps one process waiting for the next edit. */
export interface SpareHost {
  /** The process that waits, or a new one; it is the caller's from then on. */
  take(): Host;
  /** Has one waiting from here on. */
  fill(): void;
  /** The same in a moment. */
  fillSoon(): void;
  /** Ends the one that waits. */
  empty(): Promise<void>;
}

/** The calls that wait for an edit come first: starting a process keeps this one busy for a while. */
const SOON_MS = 40;

/** @param start starts a process */
export function createSpareHost(start: () => Host): SpareHost {
  let spare: Host | undefined;
  let timer: NodeJS.Timeout | undefined;
  const fill = (): void => {
    clearTimeout(timer);
    if (!spare?.alive) spare = start();
  };
  return {
    fill,
    fillSoon() {
      clearTimeout(timer);
      timer = setTimeout(fill, SOON_MS);
    },
    take() {
      fill();
      const taken = spare;
      spare = undefined;
      return taken ?? start();
    },
    async empty() {
      clearTimeout(timer);
      const emptied = spare;
      spare = undefined;
      await emptied?.stop();
    },
  };
}
