import textWidth from "fast-string-width";
import type { Sink } from "./terminal.js";

/** A sink whose last line shows the current activity until something else is printed. */
export interface StatusLine extends Sink {
  /** Replaces the activity that is shown. */
  show(label: string): void;
  /** Removes the status line. */
  clear(): void;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const ERASE = "\r\x1b[K";

/**
 * Creates a status line below everything that is printed through it. If the sink is not a terminal, only the first activity
 * is written, as a line.
 *
 * @param sink receives all output
 */
export function createStatusLine(sink: Sink): StatusLine {
  let label: string | undefined;
  let isDrawn = false;
  let isAtStart = true;
  let isAnnounced = false;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;

  const erase = (): void => {
    if (isDrawn) sink.write(ERASE);
    isDrawn = false;
  };
  const draw = (): void => {
    // The output has not ended its line yet.
    if (label === undefined || !isAtStart) return;
    const spinner = FRAMES[frame++ % FRAMES.length] ?? "";
    const text = textWidth(label) + 3 > sink.columns ? label.slice(0, Math.max(1, sink.columns - 3)) : label;
    sink.write(`${ERASE}${sink.paint.cyan(spinner)} ${sink.paint.dim(text)}`);
    isDrawn = true;
  };
  return {
    flush: () => sink.flush(),
    paint: sink.paint,
    color: sink.color,
    canRedraw: sink.canRedraw === true,
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
      if (sink.canRedraw !== true) {
        if (!isAnnounced) sink.write(`${next}…\n`);
        isAnnounced = true;
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
