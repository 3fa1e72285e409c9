import { constants, open, readlink, realpath } from "node:fs/promises";

/** A file or directory that stays the same, whatever becomes of its path. */
export interface Held {
  /** Leads to it, and nowhere else. */
  readonly path: string;
  /** Where it was when it was opened. */
  readonly real: string;
  close(): Promise<void>;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Between a look at a path and its use, somebody could put a symbolic link in its place. So it is opened first, and
 * looked at then: on Linux, `/proc/self/fd` says where an open file is, and leads to it. Elsewhere nothing does, and a
 * moment remains in which that could happen.
 *
 * @param real a path without links
 */
export async function hold(real: string): Promise<Held> {
  if (process.platform !== "linux") return { path: real, real: await realpath(real), close: async () => {} };
  // Without O_NONBLOCK, a named pipe would be waited for.
  const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const path = `/proc/self/fd/${handle.fd}`;
  return { path, real: await readlink(path), close: () => handle.close() };
}
