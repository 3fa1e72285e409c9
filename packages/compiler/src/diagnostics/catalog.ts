import { accessMessages } from "./access-messages.js";
import { error, type CatalogEntry } from "./catalog-entry.js";
import { classMessages } from "./class-messages.js";
import { declarationMessages } from "./declaration-messages.js";
import { directoryMessages } from "./directory-messages.js";
import { elicitationMessages } from "./elicitation-messages.js";
import { headerMessages } from "./header-messages.js";
import { optionMessages } from "./option-messages.js";
import { projectMessages } from "./project-messages.js";
import { resourceMessages } from "./resource-messages.js";
import { skillMessages } from "./skill-messages.js";
import { tagMessages } from "./tag-messages.js";
import { typeMessages } from "./type-messages.js";
import { viewMessages } from "./view-messages.js";

/**
 * Every diagnostic that Tenon can report. Codes are permanent: never renamed, never reused. A message states what is
 * wrong and why; a hint is the edit to make. The tests generate `ERRORS.md` from this catalog and the fixtures.
 */
export const catalog = {
  /** TypeScript's own errors, reported so that one command shows everything. */
  typescript: error((p: { text: string; number: number }) => `${p.text} (TS${p.number})`),
  ...projectMessages,
  ...classMessages,
  ...declarationMessages,
  ...resourceMessages,
  ...accessMessages,
  ...optionMessages,
  ...typeMessages,
  ...tagMessages,
  ...elicitationMessages,
  ...headerMessages,
  ...viewMessages,
  ...skillMessages,
  ...directoryMessages,
} satisfies Record<string, CatalogEntry<never>>;

/** The permanent name of a diagnostic. */
export type DiagnosticCode = keyof typeof catalog;

/** The parameters of the messages of one diagnostic. */
export type DiagnosticParameters<Code extends DiagnosticCode> = Parameters<
  (typeof catalog)[Code]["message"]
>[0];

/** Returns every code with its severity, in the order of the catalog. */
export function listDiagnosticCodes(): { code: DiagnosticCode; severity: "error" | "warning" }[] {
  return Object.entries(catalog).map(([code, { severity }]) => ({
    code: code as DiagnosticCode,
    severity,
  }));
}
