import { error, type CatalogueEntry } from "./catalogue-entry.js";
import { declarationMessages } from "./declaration-messages.js";
import { formMessages } from "./form-messages.js";
import { headerMessages } from "./header-messages.js";
import { projectMessages } from "./project-messages.js";
import { typeMessages } from "./type-messages.js";

/**
 * Every diagnostic Tenon can give. Codes are permanent: never renamed, never reused. A message says what is
 * wrong and why; a hint says what to type instead. `ERRORS.md` is generated from this and the fixtures.
 */
export const catalogue = {
  /** TypeScript's own errors, passed on so that one command shows everything. */
  typescript: error((p: { text: string; number: number }) => `${p.text} (TS${p.number})`),
  ...projectMessages,
  ...declarationMessages,
  ...typeMessages,
  ...formMessages,
  ...headerMessages,
} satisfies Record<string, CatalogueEntry<never>>;

export type DiagnosticCode = keyof typeof catalogue;

export type ParametersOf<Code extends DiagnosticCode> = Parameters<(typeof catalogue)[Code]["message"]>[0];

/** Every code with its severity, for the reference page and for tools that list them. */
export function catalogueEntries(): { code: DiagnosticCode; severity: "error" | "warning" }[] {
  return Object.entries(catalogue).map(([code, { severity }]) => ({
    code: code as DiagnosticCode,
    severity,
  }));
}
