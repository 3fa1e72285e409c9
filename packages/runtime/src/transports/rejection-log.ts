import type { LogSink } from "../api/log.js";
import type { Observer, RejectedRequest } from "../api/observer.js";

const MAX_EVENTS_PER_MINUTE = 60;

/** Records rejected requests. */
export interface RejectionLog {
  /** Records a call that is rejected because of its caller or a limit. Observers see the call itself. */
  callRejected(rejected: RejectedRequest): void;
  /** Records a request that did not become a call. */
  requestRejected(rejected: RejectedRequest): void;
}

/**
 * Logs rejections, and reports to observers the requests that did not become calls: up to a maximum per minute, then
 * only the number of further ones, so that clients cannot fill a disk.
 *
 * @param onError receives what observers throw
 */
export function createRejectionLog(
  log: LogSink,
  observers: readonly Observer[],
  onError: (error: unknown) => void,
): RejectionLog {
  const warn = (msg: string, fields: object): void =>
    log({ level: "warn", event: "rejected", msg, ...fields });
  let unreportedCount = 0;
  const mayLog = limitPerMinute((suppressedCount) =>
    warn(`${suppressedCount} more requests were rejected.`, { suppressedCount }),
  );
  const mayObserve = limitPerMinute((suppressedCount) => {
    unreportedCount = suppressedCount;
  });
  const callRejected = ({ principal, ...rejected }: RejectedRequest): void => {
    if (mayLog())
      warn(`A request was rejected: ${rejected.reason}`, { ...rejected, subject: principal?.subject });
  };
  return {
    callRejected,
    requestRejected: (rejected) => {
      callRejected(rejected);
      if (!mayObserve()) return;
      const reported = unreportedCount === 0 ? rejected : { ...rejected, suppressedCount: unreportedCount };
      unreportedCount = 0;
      for (const observer of observers) {
        try {
          observer.requestRejected?.(reported);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/**
 * Limits how often an event that any client can cause is reported.
 *
 * @param onMore called with the number of suppressed events when another minute begins
 * @returns a function that counts an event and returns whether to report it: at most 60 per minute
 */
export function limitPerMinute(onMore: (suppressedCount: number) => void): () => boolean {
  let minute = 0;
  let count = 0;
  return () => {
    const current = Math.floor(Date.now() / 60_000);
    if (current !== minute) {
      if (count > MAX_EVENTS_PER_MINUTE) onMore(count - MAX_EVENTS_PER_MINUTE);
      minute = current;
      count = 0;
    }
    return ++count <= MAX_EVENTS_PER_MINUTE;
  };
}
