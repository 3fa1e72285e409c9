/** One diagnostic: how bad it is, and its words as functions of what the report knows. */
export interface CatalogueEntry<P> {
  severity: "error" | "warning";
  /** What is wrong and why, in the author's words. */
  message: (parameters: P) => string;
  /** The edit to make. */
  hint?: (parameters: P) => string | undefined;
}

/** A diagnostic that keeps the declaration from being served. */
export function error<P = Record<never, never>>(
  message: (parameters: P) => string,
  hint?: (parameters: P) => string | undefined,
): CatalogueEntry<P> {
  return { severity: "error", message, ...(hint && { hint }) };
}

/** A diagnostic the author may leave. */
export function warning<P = Record<never, never>>(
  message: (parameters: P) => string,
  hint?: (parameters: P) => string | undefined,
): CatalogueEntry<P> {
  return { severity: "warning", message, ...(hint && { hint }) };
}
