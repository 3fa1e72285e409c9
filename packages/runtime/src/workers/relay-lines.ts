import type { Readable } from "node:stream";
import { writeStderr } from "../log/stderr-write.js";

/**
 * Writes what another process says to stderr, whole lines at a time: those of several processes are not mixed up.
 *
 * @returns resolves when it has said all
 */
export function relayLines(from: Readable | null): Promise<void> {
  if (from === null) return Promise.resolve();
  let rest = "";
  from.setEncoding("utf8");
  from.on("data", (text: string) => {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) writeStderr(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  return new Promise((resolve) => {
    from.once("close", () => {
      if (rest !== "") writeStderr(`${rest}\n`);
      resolve();
    });
  });
}
