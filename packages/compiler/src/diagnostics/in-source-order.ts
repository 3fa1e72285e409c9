import type { Diagnostic, SourceSpan } from "./diagnostic.js";

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/**
 * Our diagnostics with TypeScript's own among them, in the order in which a reader goes through the files. Where an
 * error of ours explains a place already, TypeScript's own words for it would only be noise.
 */
export function mergeDiagnostics(
  ours: readonly Diagnostic[],
  typescripts: readonly Diagnostic[],
): Diagnostic[] {
  const spans = ours.flatMap(({ severity, span }) => (severity === "error" && span ? [span] : []));
  const isNews = ({ span }: Diagnostic): boolean => !span || !spans.some((outer) => contains(outer, span));
  return inSourceOrder([...ours, ...typescripts.filter(isNews)]);
}

function contains(outer: SourceSpan, inner: SourceSpan): boolean {
  const { start, end } = outer;
  const { line, column } = inner.start;
  if (outer.file !== inner.file || line < start.line || line > end.line) return false;
  return !(line === start.line && column < start.column) && !(line === end.line && column >= end.column);
}

/** Phases report in their own order; a reader goes through the files from top to bottom. */
export function inSourceOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const position = ({ span }: Diagnostic): [string, number, number] => [
    span?.file ?? "",
    span?.start.line ?? 0,
    span?.start.column ?? 0,
  ];
  return [...diagnostics].sort((a, b) => {
    const [fileA, lineA, columnA] = position(a);
    const [fileB, lineB, columnB] = position(b);
    return fileA < fileB ? -1 : fileA > fileB ? 1 : lineA - lineB || columnA - columnB;
  });
}
