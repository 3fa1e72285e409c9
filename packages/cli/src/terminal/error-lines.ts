import type { Sink } from "./terminal.js";
import { wrapDiagnostic } from "./text-format.js";

type TextSink = Pick<Sink, "paint" | "columns" | "canRedraw">;

/** Formats an error message with its label, wrapped to the width of the terminal. */
export function formatError(message: string, sink: TextSink): string {
  return formatLines(`${sink.paint.red("error")}  ${message}`, sink);
}

/** Formats a hint, which explains how to fix an error or contains more information. */
export function formatHint(hint: string, sink: TextSink): string {
  return formatLines(`${sink.paint.cyan("hint")}   ${hint}`, sink);
}

/** Wraps text only in a terminal: a program that reads it finds each sentence on one line. */
function formatLines(text: string, { columns, canRedraw }: TextSink): string {
  return `${canRedraw === true ? wrapDiagnostic(text, columns) : text}\n`;
}
