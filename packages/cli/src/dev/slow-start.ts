/** Minimum time that a server has to start before an edit ends it. A shorter time would end servers that only load slowly. */
const MIN_START_MS = 3000;
/** Interval at which an edit is looked for. */
const CHECK_INTERVAL_MS = 100;

/**
 * Waits until a server has started. If it takes long and the sources change meanwhile, ends it, so that a server which waits
 * forever, as for a database that is down, does not delay the version with the correction.
 *
 * @param start the start of the server
 * @param hasChanges returns whether a newer version of the sources waits
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
