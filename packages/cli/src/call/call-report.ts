import { printable } from "../remote/printable.js";
import type { Terminal } from "../terminal/terminal.js";

/** How far a call is. */
export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** What a server says before it answers, for the person who waits. */
export interface CallReport {
  progress(progress: Progress): void;
  log(entry: { level: string; logger?: string | undefined; data: unknown }): void;
  /** Takes away what stays in sight until something else is shown. */
  clear(): void;
}

const CLEAR_LINE = "\r\u001b[2K";

/** At a terminal, progress is one line that changes; elsewhere, each report is a line. */
export function callReport({ err, interactive }: Terminal): CallReport {
  const { paint } = err;
  let isShown = false;
  const clear = (): void => {
    if (isShown) err.write(CLEAR_LINE);
    isShown = false;
  };
  return {
    progress({ progress, total, message }) {
      const counted = total === undefined ? String(progress) : `${progress}/${total}`;
      const said = message === undefined ? "" : `  ${printable(message).replaceAll("\n", " ")}`;
      const line = `progress  ${counted}${said}`;
      if (interactive) err.write(`${CLEAR_LINE}${paint.dim(line.slice(0, err.columns - 1))}`);
      else err.write(`${paint.dim(line)}\n`);
      isShown = interactive;
    },
    log({ level, logger, data }) {
      clear();
      const text = printable(typeof data === "string" ? data : JSON.stringify(data));
      const from = logger === undefined ? "" : ` [${printable(logger)}]`;
      err.write(`${paint.dim(`${printable(level)}${from}  ${text}`)}\n`);
    },
    clear,
  };
}
