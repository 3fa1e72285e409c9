/** A diagnostic's severity, and its messages as functions of the report's parameters. */
export interface CatalogEntry<P> {
  severity: "error" | "warning";
  /** The problem, with the value and, where it is not obvious, the reason. */
  message: (parameters: P) => string;
  /** The edit to make, as an imperative. */
  hint?: (parameters: P) => string | undefined;
}

/** Creates a diagnostic that keeps its declaration from being served. */
export function error<P = Record<never, never>>(
  message: (parameters: P) => string,
  hint?: (parameters: P) => string | undefined,
): CatalogEntry<P> {
  return { severity: "error", message, ...(hint && { hint }) };
}

/** Creates a diagnostic that the author may ignore. */
export function warning<P = Record<never, never>>(
  message: (parameters: P) => string,
  hint?: (parameters: P) => string | undefined,
): CatalogEntry<P> {
  return { severity: "warning", message, ...(hint && { hint }) };
}
