import textWidth from "fast-string-width";
import type { Sink } from "./terminal.js";

/** A sink whose last line says what is going on, for as long as nothing else is printed there. */
export interface StatusLine extends Sink {
  /** Shows what is going on, in place of what was. */
  show(label: string): void;
  /** Nothing is going on any more. */
  clear(): void;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const ERASE = "\r\x1b[K";

/**
 * Draws below whatever is printed through it, on a terminal; elsewhere it writes a line when it all begins.
 *
 * @param sink where everything goes
 */
export function createStatusLine(sink: Sink): StatusLine {
  let label: string | undefined;
  let isDrawn = false;
  let isAtStart = true;
  let isTold = false;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;

  const erase = (): void => {
    if (isDrawn) sink.write(ERASE);
    isDrawn = false;
  };
  const draw = (): void => {
    // What was printed has not ended its line yet.
    if (label === undefined || !isAtStart) return;
    const sign = FRAMES[frame++ % FRAMES.length] ?? "";
    const text = textWidth(label) + 3 > sink.columns ? label.slice(0, Math.max(1, sink.columns - 3)) : label;
    sink.write(`${ERASE}${sink.paint.cyan(sign)} ${sink.paint.dim(text)}`);
    isDrawn = true;
  };
  return {
    flush: () => sink.flush(),
    paint: sink.paint,
    color: sink.color,
    get columns() {
      return sink.columns;
    },
    write(text) {
      if (text === "") return;
      erase();
      sink.write(text);
      isAtStart = text.endsWith("\n");
    },
    show(next) {
      if (sink.redraws !== true) {
        if (!isTold) sink.write(`${next}…\n`);
        isTold = true;
        return;
      }
      label = next;
      draw();
      timer ??= setInterval(draw, FRAME_MS).unref();
    },
    clear() {
      clearInterval(timer);
      timer = undefined;
      label = undefined;
      erase();
    },
  };
}
