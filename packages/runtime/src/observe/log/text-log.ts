import type { LogEntry, LogLevel, LogSink } from "../../api/log.js";
import { escapeControls } from "./escape-controls.js";
import { writeStderr } from "./stderr-write.js";

/** A log that omits entries below a level. */
export interface LeveledSink extends LogSink {
  /** Absent if the author's function decides what to log. */
  readonly minLevel?: LogLevel | "off" | undefined;
}

/** The levels in increasing order, followed by `off`, which no entry reaches. */
const LEVELS: readonly (LogLevel | "off")[] = ["debug", "info", "warn", "error", "fatal", "off"];

/** The environment variable that adds the frames of Tenon to stacks. `--verbose` of the command line sets it. */
const VERBOSE = "TENON_VERBOSE";

/** Matches a frame that calls a method or a callback of the author, and captures the folder of Tenon's modules. */
const CALLING_FRAME =
  /^ +at (?:async )?(?:[^\n(]+\()?([^\n(]*\bruntime[\\/](?:dist|src)[\\/])(?:access|call|transports)[\\/][\w\\/-]+\.[jt]s:/m;

const TOOL_ERROR_HINT =
  "Except in development, clients receive no details. Throw a `ToolError` to send them a message.";

/**
 * Creates the log of a server: text on stderr from a minimum level up, or the author's function. The log never throws.
 * Stacks contain the author's frames; those of Tenon only at the level `debug`, or with `TENON_VERBOSE`. The first
 * error of a tool is followed by a hint on how to send a message to the client. An entry for which the author's function
 * throws or rejects is written to stderr.
 */
export function createLog(setting: LogLevel | "off" | LeveledSink = "info"): LeveledSink {
  const isSink = typeof setting === "function";
  const minLevel = isSink ? 0 : LEVELS.indexOf(setting);
  const isVerbose = setting === "debug" || (globalThis.process?.env[VERBOSE] ?? "") !== "";
  let needsHint = true;
  const log = (entry: LogEntry): void => {
    if (!isSink) return write(entry);
    try {
      const pending: unknown = setting(entry);
      // Otherwise, the rejection would be logged by the same function, which would reject again, without end.
      if (pending instanceof Promise) pending.catch(() => write(entry));
    } catch {
      write(entry);
    }
  };
  const write = (entry: LogEntry): void => {
    if (LEVELS.indexOf(entry.level) < minLevel) return;
    const showsHint = needsHint && isThrownByTool(entry);
    writeStderr(formatEntry(entry, isVerbose) + (showsHint ? `${TOOL_ERROR_HINT}\n` : ""));
    if (showsHint) needsHint = false;
  };
  return Object.assign(log, { minLevel: isSink ? setting.minLevel : setting });
}

/** Returns whether an entry is about an error that the author could replace with a `ToolError`. */
function isThrownByTool({ event, subject, err }: LogEntry): boolean {
  return event === "internal-error" && String(subject).startsWith("tool ") && err?.type !== "OutputError";
}

function formatEntry({ level, msg, reference, err }: LogEntry, isVerbose: boolean): string {
  const start = typeof reference === "string" ? `[${reference}] ` : level === "warn" ? "WARNING: " : "";
  const text = isVerbose || err === undefined ? err?.stack : withoutInnerFrames(err.stack);
  const stack = text?.split("\n").map((line, index) => {
    const isOwn = index === 0 || /^\s+at |^Caused by(?: \(\d+ of \d+\))?: /.test(line);
    return `${isOwn ? "" : "    "}${escapeControls(line)}\n`;
  });
  return `${start}${escapeControls(msg)}\n${stack?.join("") ?? ""}`;
}

/** Removes the frames of Tenon and Node from a stack, which do not show the author's code. */
function withoutInnerFrames(stack: string): string {
  const inner = ["node:internal/", ...(CALLING_FRAME.exec(stack)?.slice(1) ?? [])];
  const isInner = (line: string): boolean =>
    /^\s+at /.test(line) && inner.some((location) => line.includes(location));
  const lines = stack.split("\n").filter((line) => !isInner(line));
  // A built-in function, such as `Array.map`, without a frame that called it.
  while (lines.at(-1)?.endsWith("(<anonymous>)") === true) lines.pop();
  return lines.join("\n");
}
