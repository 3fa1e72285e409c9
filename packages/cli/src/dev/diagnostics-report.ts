import type { Diagnostic } from "@tenon/compiler";
import { renderDiagnostic } from "@tenon/compiler/report";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount, wrap } from "../terminal/text-format.js";
import { formatNames } from "./log.js";

/**
 * Creates a function that prints the diagnostics of consecutive compilations: errors and new warnings as other commands do,
 * and unchanged warnings briefly.
 */
export function createDiagnosticsReport(sink: Sink): (diagnostics: readonly Diagnostic[]) => void {
  let known = new Set<string>();
  return (diagnostics) => {
    const isUnchanged = (each: Diagnostic): boolean => each.severity === "warning" && known.has(getKey(each));
    printDiagnostics(
      sink,
      diagnostics.filter((each) => !isUnchanged(each)),
    );
    printUnchanged(sink, diagnostics.filter(isUnchanged));
    known = new Set(diagnostics.map(getKey));
  };
}

/**
 * Prints the warnings of an earlier compilation that still apply: for users in one sentence, and for programs like
 * new ones, because an editor forgets problems that a build does not repeat.
 */
function printUnchanged(sink: Sink, warnings: readonly Diagnostic[]): void {
  if (warnings.length === 0) return;
  if (sink.canRedraw !== true) {
    for (const warning of warnings)
      sink.write(renderDiagnostic(warning, { color: sink.color, isBrief: true }));
    return;
  }
  const verb = warnings.length === 1 ? "is" : "are";
  const text = `${formatCount(warnings.length, "warning")} ${verb} unchanged: ${formatNames(warnings.map(formatLocation))}`;
  for (const line of wrap(text, sink.columns)) sink.write(`${sink.paint.dim(line)}\n`);
}

/** Returns the location of a diagnostic, or its code if it has none. */
function formatLocation({ span, code }: Diagnostic): string {
  return span ? `${span.file}:${span.start.line}:${span.start.column}` : code;
}

/** Returns a key for a warning that does not change when an edit moves it. */
function getKey({ code, message, span }: Diagnostic): string {
  return JSON.stringify([code, message, span?.file]);
}
