/** Minimum time that a server has to start before an edit ends it, since some servers load slowly. */
const MIN_START_MS = 3000;
/** Time after which the log says that a server is still starting. */
const NOTICE_MS = 5000;
/** Interval of the checks for edits. */
const CHECK_INTERVAL_MS = 100;

/**
 * Waits until a server has started. If that takes a long time, says so, and ends the server once the sources change: it may
 * wait forever, for example for a database that is down, and would delay the corrected version.
 *
 * @param start the start of the server
 * @param hasChanges returns whether a newer version of the sources is waiting
 * @param end ends the server, whose start then fails
 * @param notify reports that the server is still starting after some milliseconds
 */
export async function endSlowStart<T>(
  start: Promise<T>,
  hasChanges: () => boolean,
  end: () => Promise<void>,
  notify: (ms: number) => void,
): Promise<T> {
  const deadline = performance.now() + MIN_START_MS;
  const notice = setTimeout(() => notify(NOTICE_MS), NOTICE_MS);
  const timer = setInterval(() => {
    if (performance.now() < deadline || !hasChanges()) return;
    clearInterval(timer);
    void end();
  }, CHECK_INTERVAL_MS);
  try {
    return await start;
  } finally {
    clearInterval(timer);
    clearTimeout(notice);
  }
}
