import type { Readable } from "node:stream";

/**
 * Reports every line of a stream, and its end or error. Only a line feed ends a line: `node:readline` also breaks at
 * U+2028, which JSON may contain.
 */
export function readLines(stream: Readable, onLine: (line: string) => void, onEnd: () => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) onLine(line);
  });
  // Reading a closed terminal fails. The stream closes even then.
  stream.on("error", () => undefined);
  stream.on("close", () => {
    if (rest.trim()) onLine(rest);
    onEnd();
  });
  stream.on("end", () => stream.destroy());
}
