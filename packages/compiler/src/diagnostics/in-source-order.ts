import type { Diagnostic, SourceSpan } from "./diagnostic.js";

/** Returns whether any of the diagnostics is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/**
 * Merges Tenon's diagnostics with TypeScript's own, in source order. TypeScript's errors inside the span of one of Tenon's
 * errors are omitted: that error already explains them. TypeScript's errors at the name of an option with an invalid value
 * are omitted, too.
 */
export function mergeDiagnostics(
  ours: readonly Diagnostic[],
  typescriptErrors: readonly Diagnostic[],
): Diagnostic[] {
  const errors = ours.filter(({ severity }) => severity === "error");
  const isNew = ({ span: inner }: Diagnostic): boolean =>
    !inner ||
    !errors.some(
      ({ code, span }) =>
        span && (contains(span, inner) || (code === "option-invalid" && endsBefore(span, inner))),
    );
  return sortBySource([...ours, ...typescriptErrors.filter(isNew)]);
}

function contains(outer: SourceSpan, inner: SourceSpan): boolean {
  const { start, end } = outer;
  const { line, column } = inner.start;
  if (outer.file !== inner.file || line < start.line || line > end.line) return false;
  return !(line === start.line && column < start.column) && !(line === end.line && column >= end.column);
}

/** The length of `: ` between the name of a property and its value. */
const MAX_SEPARATOR_CHARACTERS = 2;

/** Returns whether a span ends right before a value, as the name of its property does. */
function endsBefore(value: SourceSpan, name: SourceSpan): boolean {
  const distance = value.start.column - name.end.column;
  return (
    value.file === name.file &&
    value.start.line === name.end.line &&
    distance > 0 &&
    distance <= MAX_SEPARATOR_CHARACTERS
  );
}

/** Sorts diagnostics by file and position. Phases report them in a different order. */
export function sortBySource(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const getPosition = ({ span }: Diagnostic): [string, number, number] => [
    span?.file ?? "",
    span?.start.line ?? 0,
    span?.start.column ?? 0,
  ];
  return [...diagnostics].sort((a, b) => {
    const [fileA, lineA, columnA] = getPosition(a);
    const [fileB, lineB, columnB] = getPosition(b);
    return fileA < fileB ? -1 : fileA > fileB ? 1 : lineA - lineB || columnA - columnB;
  });
}
