import { diagnosticPage, renderDiagnostic, type Diagnostic } from "@tenon/compiler";
import type { Sink } from "./terminal.js";
import { count, wrapDiagnostic } from "./text-format.js";

/** The part of a sink that diagnostics are printed to. */
type DiagnosticSink = Pick<Sink, "write" | "paint" | "color" | "columns" | "redraws">;

/**
 * Prints every diagnostic with its code frame and the address of its page, and how many there were. Prints nothing when
 * there are none.
 */
export function printDiagnostics(sink: DiagnosticSink, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  for (const diagnostic of diagnostics) {
    const text = renderDiagnostic(diagnostic, { color: sink.color });
    // A program that reads them finds each sentence on one line.
    const shown = sink.redraws === true ? wrapDiagnostic(text, sink.columns) : text;
    sink.write(`${shown}${pageLine(sink, diagnostic)}\n`);
  }
  sink.write(`${summary(sink, diagnostics)}\n`);
}

/** True when something must be corrected before a server can be built. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** The errors among diagnostics as a program's client reads them: with code frames, without colours. */
export function errorsText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map((each) => renderDiagnostic(each)).join("\n");
}

/** Of TypeScript's own errors Tenon knows no more than they say. */
function pageLine({ paint }: DiagnosticSink, { code, hint }: Diagnostic): string {
  if (code === "typescript") return "";
  return `${hint === undefined ? "\n" : ""}  ${paint.dim(`page  ${diagnosticPage(code).address}`)}\n`;
}

function summary({ paint }: DiagnosticSink, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const parts = [
    ...(errors > 0 ? [paint.red(count(errors, "error"))] : []),
    ...(warnings > 0 ? [paint.yellow(count(warnings, "warning"))] : []),
  ];
  return parts.join(" and ");
}
