/**
 * Every diagnostic Tenon can give. Codes are permanent: never renamed, never reused. A message says what is
 * wrong and why; a hint says what to type instead. `ERRORS.md` is generated from this file and the fixtures.
 */
export const catalogue = {
  /** TypeScript's own errors, passed on so that one command shows everything. */
  typescript: error(
    (p: { text: string; number: number }) => `${p.text} (TS${p.number})`,
    () => undefined,
  ),
} satisfies Record<string, CatalogueEntry<never>>;

export type DiagnosticCode = keyof typeof catalogue;

export type ParametersOf<Code extends DiagnosticCode> = Parameters<(typeof catalogue)[Code]["message"]>[0];

export interface CatalogueEntry<P> {
  severity: "error" | "warning";
  message: (parameters: P) => string;
  hint?: (parameters: P) => string | undefined;
}

function error<P>(
  message: (parameters: P) => string,
  hint?: (parameters: P) => string | undefined,
): CatalogueEntry<P> {
  return { severity: "error", message, ...(hint && { hint }) };
}

export function warning<P>(
  message: (parameters: P) => string,
  hint?: (parameters: P) => string | undefined,
): CatalogueEntry<P> {
  return { severity: "warning", message, ...(hint && { hint }) };
}
