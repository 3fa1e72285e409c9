import type { LogSink } from "../api/log.js";
import type { Observer, RefusedRequest } from "../api/observer.js";

const MOST_A_MINUTE = 60;

/** Takes note of what is refused. */
export interface RefusalLog {
  /** A call that its caller may not make, or not now: whoever observes calls has seen it. */
  ofCall(refused: RefusedRequest): void;
  /** A request that never became a call. */
  ofRequest(refused: RefusedRequest): void;
}

/**
 * Logs what is refused, and lets observers know of requests that they could not see: so many a minute, and then their
 * number, so that nobody can fill a disk with them.
 *
 * @param onError takes what observers throw
 */
export function createRefusalLog(
  log: LogSink,
  observers: readonly Observer[],
  onError: (error: unknown) => void,
): RefusalLog {
  const warn = (msg: string, fields: object): void =>
    log({ level: "warn", event: "refused", msg, ...fields });
  let unseen = 0;
  const isToBeTold = limitedPerMinute((more) => warn(`${more} more requests were refused.`, { more }));
  const isToBeSeen = limitedPerMinute((more) => {
    unseen = more;
  });
  const ofCall = ({ principal, ...refused }: RefusedRequest): void => {
    if (isToBeTold())
      warn(`A request was refused: ${refused.reason}`, { ...refused, subject: principal?.subject });
  };
  return {
    ofCall,
    ofRequest: (refused) => {
      ofCall(refused);
      if (!isToBeSeen()) return;
      const seen = unseen === 0 ? refused : { ...refused, more: unseen };
      unseen = 0;
      for (const observer of observers) {
        try {
          observer.refused?.(seen);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/**
 * Bounds what is logged of requests by anybody.
 *
 * @param onMore is told, once another minute has begun, how many there were beyond those that were to be told
 * @returns a function that says of each whether it is to be told: sixty a minute are
 */
export function limitedPerMinute(onMore: (more: number) => void): () => boolean {
  let minute = 0;
  let count = 0;
  return () => {
    const current = Math.floor(Date.now() / 60_000);
    if (current !== minute) {
      if (count > MOST_A_MINUTE) onMore(count - MOST_A_MINUTE);
      minute = current;
      count = 0;
    }
    return ++count <= MOST_A_MINUTE;
  };
}
