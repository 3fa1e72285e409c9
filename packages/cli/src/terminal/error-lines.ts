import type { Sink } from "./terminal.js";
import { wrapDiagnostic } from "./text-format.js";

type TextSink = Pick<Sink, "paint" | "columns" | "redraws">;

/** What went wrong, behind its label, as wide as the terminal. */
export function errorLines(message: string, sink: TextSink): string {
  return lines(`${sink.paint.red("error")}  ${message}`, sink);
}

/** What to do about it, or what else there is to know. */
export function hintLines(hint: string, sink: TextSink): string {
  return lines(`${sink.paint.cyan("hint")}   ${hint}`, sink);
}

/** A program that reads it finds each sentence on one line. */
function lines(text: string, { columns, redraws }: TextSink): string {
  return `${redraws === true ? wrapDiagnostic(text, columns) : text}\n`;
}
