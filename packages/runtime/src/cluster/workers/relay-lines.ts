import type { Readable } from "node:stream";
import { writeStderr } from "../../observe/log/stderr-write.js";

/**
 * Writes the output of another process to stderr in whole lines, so that lines of several processes are not mixed.
 *
 * @returns a promise that resolves at the end of the output
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
