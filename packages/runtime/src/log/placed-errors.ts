import type { LogSink } from "../api/log.js";
import type { SourceMaps } from "../start-failure.js";

/** A log of errors whose stacks are in the author's files and lines. */
export interface PlacedErrorLog {
  readonly log: LogSink;
  /** Resolves when everything has been written. */
  written(): Promise<void>;
}

/**
 * Logs errors by the source maps beside the built files. Node would read those of every file while it loads them; here
 * they are read for the first error, with what reads them. So an error is written a moment later, in its turn.
 */
export function createPlacedErrorLog(log: LogSink): PlacedErrorLog {
  let written = Promise.resolve();
  const maps: SourceMaps = new Map();
  return {
    log: (entry) => {
      const { err } = entry;
      if (err === undefined) return log(entry);
      written = written
        .then(() => import("../start-failure.js"))
        .then(({ originalStack }) =>
          log({ ...entry, err: { ...err, stack: originalStack(err.stack, maps) } }),
        )
        .catch(() => log(entry));
    },
    written: () => written,
  };
}
