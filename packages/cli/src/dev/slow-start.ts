/** Minimum time that an edit leaves a server for its start. A shorter time would end servers that only load slowly. */
const MIN_START_MS = 3000;
/** Interval of the checks for edits. */
const CHECK_INTERVAL_MS = 100;

/**
 * Waits until a server has started. If that takes a long time and the sources change meanwhile, ends the server, so that
 * one that waits forever, as for a database that is down, does not delay the version with the correction.
 *
 * @param start the start of the server
 * @param hasChanges returns whether a newer version of the sources is waiting
 * @param end ends the server, whose start then fails
 */
export async function endSlowStart<T>(
  start: Promise<T>,
  hasChanges: () => boolean,
  end: () => Promise<void>,
): Promise<T> {
  const deadline = performance.now() + MIN_START_MS;
  const timer = setInterval(() => {
    if (performance.now() < deadline || !hasChanges()) return;
    clearInterval(timer);
    void end();
  }, CHECK_INTERVAL_MS);
  try {
    return await start;
  } finally {
    clearInterval(timer);
  }
}
