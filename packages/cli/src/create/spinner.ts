import { S_BAR, S_STEP_ERROR, S_STEP_SUBMIT, unicode } from "@clack/prompts";
import type { Sink } from "../terminal/terminal.js";

/** A line that moves while something takes long. */
export interface Spinner {
  /** Leaves a line that says what was done. */
  succeed(text: string): void;
  /** Leaves a line that says what was not. */
  fail(text: string): void;
}

const FRAMES = unicode ? ["◒", "◐", "◓", "◑"] : ["•", "o", "O", "0"];
const FRAME_MS = 80;
const BEGIN_AGAIN = "\r\x1b[K";

/**
 * Shows `label` with a moving sign before it. The spinner of `@clack/prompts` reads the keyboard meanwhile, and ends the
 * process with 0 at Ctrl-C; with this one the key is a signal to this process and to those it waits for, as always.
 */
export function startSpinner(label: string, { write, paint, columns }: Sink): Spinner {
  const text = label.length + 4 > columns ? `${label.slice(0, Math.max(8, columns - 5))}…` : label;
  let frame = 0;
  const draw = (): void => {
    write(`${BEGIN_AGAIN}${paint.magenta(FRAMES[frame++ % FRAMES.length] ?? "")}  ${text}`);
  };
  write(`${paint.gray(S_BAR)}\n`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  const end = (sign: string, line: string): void => {
    clearInterval(timer);
    write(`${BEGIN_AGAIN}${sign}  ${line}\n`);
  };
  return {
    succeed: (line) => end(paint.green(S_STEP_SUBMIT), line),
    fail: (line) => end(paint.red(S_STEP_ERROR), line),
  };
}
