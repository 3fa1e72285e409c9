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
  let minute = 0;
  let count = 0;
  const warn = (msg: string, fields: object): void =>
    log({ level: "warn", event: "refused", msg, ...fields });
  return (refused) => {
    const current = Math.floor(Date.now() / 60_000);
    if (current !== minute) {
      const more = count - MOST_A_MINUTE;
      if (more > 0) warn(`${more} more requests were refused.`, { more });
      minute = current;
      count = 0;
    }
    if (++count <= MOST_A_MINUTE) warn(`A request was refused: ${refused.reason}`, refused);
  };
}
