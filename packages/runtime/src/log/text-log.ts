import type { LogEntry, LogLevel, LogSink } from "../api/log.js";
import { writeStderr } from "./stderr-write.js";

/** The levels, and after them what no entry reaches. */
const LEVELS: readonly (LogLevel | "off")[] = ["debug", "info", "warn", "error", "fatal", "off"];

/**
 * The log of a server, which never throws: text on stderr from a level on, or whatever the author makes of it.
 *
 * @throws TypeError for what is no setting
 */
export function createLog(setting: LogLevel | "off" | LogSink = "info"): LogSink {
  const isSink = typeof setting === "function";
  const least = isSink ? 0 : LEVELS.indexOf(setting);
  if (least === -1) {
    throw new TypeError(`log must be a function or one of ${LEVELS.join(", ")} (got ${String(setting)})`);
  }
  return (entry) => {
    try {
      if (isSink) return setting(entry);
    } catch {
      // Somewhere it has to be said.
    }
    if (LEVELS.indexOf(entry.level) >= least) writeStderr(textOf(entry));
  };
}

function textOf({ level, msg, reference, err }: LogEntry): string {
  const start = typeof reference === "string" ? `[${reference}] ` : level === "warn" ? "WARNING: " : "";
  const stack = err?.stack.split("\n").map((line, index) => {
    const isOwn = index === 0 || /^\s+at |^Caused by(?: \(\d+ of \d+\))?: /.test(line);
    return `${isOwn ? "" : "    "}${visible(line)}\n`;
  });
  return `${start}${visible(msg)}\n${stack?.join("") ?? ""}`;
}

/** Nobody can write a line of their own into the log, or a command to the terminal that shows it. */
function visible(line: string): string {
  return line.replaceAll(
    /[^\P{C}\t]|[\p{Zl}\p{Zp}]/gu,
    (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`,
  );
}
