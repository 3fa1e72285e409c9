import { constants, open, readlink, realpath } from "node:fs/promises";

/** An open file or directory, which stays the same if its path is replaced. */
export interface OpenEntry {
  /** A path that leads only to this file or directory. */
  readonly path: string;
  /** Its real path when it was opened. */
  readonly real: string;
  close(): Promise<void>;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens a file or directory, so that it can be checked and then used. Otherwise, another process could replace the path with a
 * symbolic link between check and use. On Linux, `/proc/self/fd` contains the real path of an open file and leads to it. Other
 * systems have no equivalent, and the path can still be replaced at that moment.
 *
 * @param real a path without links
 */
export async function openEntry(real: string): Promise<OpenEntry> {
  if (process.platform !== "linux") return { path: real, real: await realpath(real), close: async () => {} };
  // Without O_NONBLOCK, opening a named pipe would block.
  const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const path = `/proc/self/fd/${handle.fd}`;
  return { path, real: await readlink(path), close: () => handle.close() };
}
