import { toPrintable } from "../terminal/printable.js";
import type { Terminal } from "../terminal/terminal.js";

/** The progress of a call. */
export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** A report of progress and log messages during a call. */
export interface CallReport {
  progress(progress: Progress): void;
  log(entry: { level: string; logger?: string | undefined; data: unknown }): void;
  /** Removes the progress line. */
  clear(): void;
}

const CLEAR_LINE = "\r\u001b[2K";

/** Creates a report. In a terminal, progress is one line that changes; otherwise, each report is a line. */
export function createCallReport({ err, interactive }: Terminal): CallReport {
  const { paint } = err;
  let isShown = false;
  const clear = (): void => {
    if (isShown) err.write(CLEAR_LINE);
    isShown = false;
  };
  return {
    progress({ progress, total, message }) {
      const counted = total === undefined ? String(progress) : `${progress}/${total}`;
      const suffix = message === undefined ? "" : `  ${toPrintable(message).replaceAll("\n", " ")}`;
      const line = `progress  ${counted}${suffix}`;
      if (interactive) err.write(`${CLEAR_LINE}${paint.dim(line.slice(0, err.columns - 1))}`);
      else err.write(`${paint.dim(line)}\n`);
      isShown = interactive;
    },
    log({ level, logger, data }) {
      clear();
      const text = toPrintable(typeof data === "string" ? data : JSON.stringify(data));
      const from = logger === undefined ? "" : ` [${toPrintable(logger)}]`;
      err.write(`${paint.dim(`${toPrintable(level)}${from}  ${text}`)}\n`);
    },
    clear,
  };
}
