import { listDiagnosticCodes, type DiagnosticCode } from "@tenon/compiler";
import { DIAGNOSTIC_TITLES } from "./diagnostic-titles.js";

/** Maximum number of different diagnostics that the page of one code shows. */
const MAX_SHOWN = 3;

/** A diagnostic as a page shows it. */
export interface ShownDiagnostic {
  readonly text: string;
  /** The hint. Diagnostics of one code are shown separately if their hints differ. */
  readonly hint: string | undefined;
}

/** The diagnostics that the cases have shown, by code. */
export class ShownDiagnostics {
  readonly #shown = new Map<string, ShownDiagnostic[]>();

  add(code: DiagnosticCode, shown: ShownDiagnostic): void {
    const before = this.#shown.get(code) ?? [];
    const getText = ({ hint }: ShownDiagnostic): string => hint?.replaceAll(/`[^`]*`/g, "") ?? "";
    if (before.length >= MAX_SHOWN || before.some((each) => getText(each) === getText(shown))) return;
    this.#shown.set(code, [...before, shown]);
  }

  of(code: DiagnosticCode): readonly ShownDiagnostic[] {
    return this.#shown.get(code) ?? [];
  }
}

/** The topic of each code by its prefix, in the order of the list. */
const TOPICS: readonly (readonly [start: string, topic: string])[] = [
  ["typescript", "TypeScript's own errors"],
  ["config-", "The project and its configuration"],
  ["runtime-", "The project and its configuration"],
  ["import-", "The project and its configuration"],
  ["server-", "The project and its configuration"],
  ["type-", "Types that become schemas"],
  ["schema-", "Custom schemas"],
  ["constraint-", "Tags in comments"],
  ["elicitation-", "Elicitation: forms and URLs"],
  ["question-", "Elicitation: forms and URLs"],
  ["header-", "Headers"],
  ["view-", "Views"],
  ["skill-", "Skills"],
  ["directory-", "Rules of public directories"],
  ["option-", "Options"],
  ["hints-", "Options"],
  ["completion-", "Options"],
  ["profile-", "Profiles of clients"],
];
const OTHERS = "Decorators, classes, and handlers";

function findTopic(code: string): string {
  return TOPICS.find(([start]) => code.startsWith(start))?.[1] ?? OTHERS;
}

/** Returns the text of `packages/compiler/ERRORS.md`: every code, by topic, with one example of its message. */
export function diagnosticsPage(shown: ShownDiagnostics): string {
  const topics = new Map<string, string[]>();
  for (const { code, severity } of listDiagnosticCodes()) {
    const [first] = shown.of(code);
    const line = `- [\`${code}\`](errors/${code}.md) (${severity}): ${toListText(first)}`;
    const topic = findTopic(code);
    topics.set(topic, [...(topics.get(topic) ?? []), line]);
  }
  const sections = [...topics].map(([topic, lines]) => `## ${topic}\n\n${lines.join("\n")}\n`);
  return `# Diagnostics

Every diagnostic that Tenon reports, by its permanent code, with an example of its message. An error keeps the
declaration from being served; a warning does not. \`npx tenon explain CODE\` shows the page of a code.

${sections.join("\n")}`;
}

/** Returns the text of `packages/compiler/errors/CODE.md`. */
export function diagnosticPage(
  { code, severity }: ReturnType<typeof listDiagnosticCodes>[number],
  shown: readonly ShownDiagnostic[],
  fix = "",
): string {
  const isPublished = code.startsWith("directory-");
  const meaning = isPublished
    ? severity === "error"
      ? "This error comes only from `tenon check --directory`, which fails until you fix it. `tenon build` accepts the server."
      : "This warning comes only from `tenon check --directory`, which succeeds despite it. `tenon build` accepts the server."
    : severity === "error"
      ? "This is an error: `tenon build` fails until you fix it. `tenon dev` keeps serving everything else."
      : "This is a warning: the server is built anyway.";
  const [first, ...others] = shown.map(({ text }) => `\`\`\`text\n${text}\n\`\`\`\n`);
  const also = others.length === 0 ? "" : `\nOther cases with this code:\n\n${others.join("\n")}`;
  return `# ${DIAGNOSTIC_TITLES[code]} (\`${code}\`)

${meaning}

${first ?? ""}${also}${fix && `\n## Fix\n\n${fix}\n`}
[All diagnostics](../ERRORS.md)
`;
}

/** Returns the sections of `diagnostic-notes.md`, each with the fix for one code. */
export function readFixes(notes: string): Map<string, string> {
  const sections = notes.split(/^## (?=[a-z-]+$)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end).trim()];
    }),
  );
}

/** Returns the message of a diagnostic as text in a list. */
function toListText(shown: ShownDiagnostic | undefined): string {
  const [, message = ""] = shown?.text.split("\n") ?? [];
  return message
    .trim()
    .replaceAll("<", "&lt;")
    .replaceAll(/`[^`]*`/g, (quoted) => quoted.replaceAll("&lt;", "<"));
}
