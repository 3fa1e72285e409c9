import { S_BAR, S_STEP_ERROR, S_STEP_SUBMIT, unicode } from "@clack/prompts";
import type { Sink } from "../terminal/terminal.js";

/** An animated line. */
export interface Spinner {
  /** Ends the animation with a line for success. */
  succeed(text: string): void;
  /** Ends the animation with a line for failure. */
  fail(text: string): void;
}

const FRAMES = unicode ? ["◒", "◐", "◓", "◑"] : ["•", "o", "O", "0"];
const FRAME_MS = 80;
const CLEAR_LINE = "\r\x1b[K";

/**
 * Shows `label` with an animated symbol. The spinner of `@clack/prompts` reads the keyboard and exits with 0 on Ctrl-C; with
 * this one, Ctrl-C sends the usual signal to this process and its children.
 */
export function startSpinner(label: string, { write, paint, columns }: Sink): Spinner {
  const text = label.length + 4 > columns ? `${label.slice(0, Math.max(8, columns - 5))}…` : label;
  let frame = 0;
  const draw = (): void => {
    write(`${CLEAR_LINE}${paint.magenta(FRAMES[frame++ % FRAMES.length] ?? "")}  ${text}`);
  };
  write(`${paint.gray(S_BAR)}\n`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  const end = (symbol: string, line: string): void => {
    clearInterval(timer);
    write(`${CLEAR_LINE}${symbol}  ${line}\n`);
  };
  return {
    succeed: (line) => end(paint.green(S_STEP_SUBMIT), line),
    fail: (line) => end(paint.red(S_STEP_ERROR), line),
  };
}
