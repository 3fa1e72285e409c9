import type { Diagnostic } from "@tenon/compiler";
import { renderDiagnostic } from "@tenon/compiler/report";
import type { Sink } from "./terminal.js";
import { formatCount, wrapDiagnostic } from "./text-format.js";

/** The part of a sink that diagnostics are printed to. */
type DiagnosticSink = Pick<Sink, "write" | "paint" | "color" | "columns" | "canRedraw">;

/**
 * Prints every diagnostic with its code frame and the command that explains it, then their number. Prints nothing if there
 * are none.
 */
export function printDiagnostics(sink: DiagnosticSink, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  for (const diagnostic of diagnostics) {
    const text = renderDiagnostic(diagnostic, { color: sink.color });
    // A program that reads the output finds each sentence on one line.
    const output = sink.canRedraw === true ? wrapDiagnostic(text, sink.columns) : text;
    sink.write(`${output}${formatExplainLine(sink, diagnostic)}\n`);
  }
  sink.write(`${formatSummary(sink, diagnostics)}\n`);
}

/** Prints the errors among diagnostics, and returns them. Commands that only need a compiled project print no warnings. */
export function printErrors(sink: DiagnosticSink, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  printDiagnostics(sink, errors);
  return errors;
}

/** Returns whether an error must be fixed before a server can be built. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** Returns the errors among diagnostics as text for a client: with code frames, without colors. */
export function formatErrors(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map((each) => renderDiagnostic(each)).join("\n");
}

/** Returns the line that names the command with more information. TypeScript's own errors have none. */
function formatExplainLine({ paint }: DiagnosticSink, { code, hint }: Diagnostic): string {
  if (code === "typescript") return "";
  return `${hint === undefined ? "\n" : ""}  ${paint.dim(`more  npx tenon explain ${code}`)}\n`;
}

function formatSummary({ paint }: DiagnosticSink, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const parts = [
    ...(errors > 0 ? [paint.red(formatCount(errors, "error"))] : []),
    ...(warnings > 0 ? [paint.yellow(formatCount(warnings, "warning"))] : []),
  ];
  return parts.join(" and ");
}
