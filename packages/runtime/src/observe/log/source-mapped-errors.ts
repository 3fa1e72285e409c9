import type { LogSink } from "../../api/log.js";
import type { SourceMaps } from "../../start-failure.js";

/** A log whose errors have stacks in the author's files and lines. */
export interface SourceMappedLog {
  readonly log: LogSink;
  /** Resolves when everything has been written. */
  whenWritten(): Promise<void>;
}

/**
 * Creates a log that maps the stacks of errors with the source maps next to the built files. Node would read the maps
 * of all files while it loads them. Here, the first error loads them, together with the code that reads them. Errors
 * are therefore written a little later, but in order.
 */
export function createSourceMappedLog(log: LogSink): SourceMappedLog {
  let written = Promise.resolve();
  const maps: SourceMaps = new Map();
  return {
    log: (entry) => {
      const { err } = entry;
      if (err === undefined) return log(entry);
      written = written
        .then(() => import("../../start-failure.js"))
        .then(({ getOriginalStack }) =>
          log({ ...entry, err: { ...err, stack: getOriginalStack(err.stack, maps) } }),
        )
        .catch(() => log(entry));
    },
    whenWritten: () => written,
  };
}
