/**
 * The servers that the tests of a file leave open. They are closed before the next file, which runs in the same process:
 * their timers would fire there, in fake time as well.
 */
import type { Server } from "@tenon/runtime/server";

const open = new Set<Server>();

/** The time limit in milliseconds. Servers whose store fails on purpose cannot write their last entries. */
const CLOSING_MS = 2000;

/** Closes a server at the end of the file. */
export function closeLater(server: Server): Server {
  open.add(server);
  return server;
}

/** Closes the servers that are still open. */
export async function closeOpenServers(): Promise<void> {
  const closing = [...open].map((server) => server.close(0).catch(() => {}));
  open.clear();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
  await Promise.race([Promise.all(closing), timeout]);
  clearTimeout(timer);
}
