import type { LogSink } from "../api/log.js";

const MOST_A_MINUTE = 60;

/** A request that is refused for who makes it, or for how many they make. */
export interface RefusedRequest {
  readonly status: number;
  readonly reason: string;
  readonly address?: string | undefined;
  readonly subject?: string | undefined;
}

export type RefusalLog = (refused: RefusedRequest) => void;

/** Logs refused requests: so many a minute, and then their number, so that nobody can fill a disk with them. */
export function createRefusalLog(log: LogSink): RefusalLog {
  const warn = (msg: string, fields: object): void =>
    log({ level: "warn", event: "refused", msg, ...fields });
  const isToBeTold = limitedPerMinute((more) => warn(`${more} more requests were refused.`, { more }));
  return (refused) => {
    if (isToBeTold()) warn(`A request was refused: ${refused.reason}`, refused);
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
