import { catalogueEntries, type DiagnosticCode } from "@tenon/compiler";

/** Of a code, so many diagnostics are shown that say something different. */
const MOST_SHOWN = 3;

/** A diagnostic as a page shows it. */
export interface ShownDiagnostic {
  readonly text: string;
  /** Diagnostics of one code that differ in it differ in what to do. */
  readonly hint: string | undefined;
}

/** The diagnostics that the cases have shown, by code. */
export class ShownDiagnostics {
  readonly #shown = new Map<string, ShownDiagnostic[]>();

  add(code: DiagnosticCode, shown: ShownDiagnostic): void {
    const before = this.#shown.get(code) ?? [];
    const says = ({ hint }: ShownDiagnostic): string => hint?.replaceAll(/`[^`]*`/g, "") ?? "";
    if (before.length >= MOST_SHOWN || before.some((each) => says(each) === says(shown))) return;
    this.#shown.set(code, [...before, shown]);
  }

  of(code: DiagnosticCode): readonly ShownDiagnostic[] {
    return this.#shown.get(code) ?? [];
  }
}

/** What a code that begins like this is about, for the list of all. */
const TOPICS: readonly (readonly [start: string, topic: string])[] = [
  ["typescript", "TypeScript's own errors"],
  ["config-", "The project and its configuration"],
  ["runtime-", "The project and its configuration"],
  ["import-", "The project and its configuration"],
  ["server-", "The project and its configuration"],
  ["type-", "Types that become schemas"],
  ["schema-", "Schemas of your own"],
  ["constraint-", "Tags in comments"],
  ["form-", "Forms of `ctx.elicit`"],
  ["header-", "Headers"],
  ["profile-", "Profiles of clients"],
];
const OTHERS = "Decorators, classes and handlers";

function topicOf(code: string): string {
  return TOPICS.find(([start]) => code.startsWith(start))?.[1] ?? OTHERS;
}

/** The text of `packages/compiler/ERRORS.md`: every code, by topic, with the words of one diagnostic of it. */
export function diagnosticsPage(shown: ShownDiagnostics): string {
  const topics = new Map<string, string[]>();
  for (const { code, severity } of catalogueEntries()) {
    const [first] = shown.of(code);
    const line = `- [\`${code}\`](errors/${code}.md) (${severity}): ${messageOf(first)}`;
    const topic = topicOf(code);
    topics.set(topic, [...(topics.get(topic) ?? []), line]);
  }
  const sections = [...topics].map(([topic, lines]) => `## ${topic}\n\n${lines.join("\n")}\n`);
  return `# Diagnostics

Every diagnostic Tenon gives, by its permanent code, with the words of an example. An error keeps the declaration from
being served; a warning does not. \`tenon explain CODE\` shows the page of a code.

${sections.join("\n")}`;
}

/** The text of `packages/compiler/errors/CODE.md`. */
export function diagnosticPage(
  { code, severity }: ReturnType<typeof catalogueEntries>[number],
  shown: readonly ShownDiagnostic[],
  instead = "",
): string {
  const meaning =
    severity === "error"
      ? "An error: `tenon build` makes no server until it is mended; `tenon dev` goes on with what still works."
      : "A warning: the server is built all the same.";
  const [first, ...others] = shown.map(({ text }) => `\`\`\`text\n${text}\n\`\`\`\n`);
  const also = others.length === 0 ? "" : `\nThe same code, told of other cases:\n\n${others.join("\n")}`;
  return `# \`${code}\`

${meaning}

${first ?? ""}${also}${instead && `\n## Instead\n\n${instead}\n`}
[All diagnostics](../ERRORS.md)
`;
}

/** What to write instead, by code, of `diagnostic-notes.md`. */
export function insteadByCode(notes: string): Map<string, string> {
  const sections = notes.split(/^## (?=[a-z-]+$)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end).trim()];
    }),
  );
}

/** What a diagnostic says, as text in a list. */
function messageOf(shown: ShownDiagnostic | undefined): string {
  const [, message = ""] = shown?.text.split("\n") ?? [];
  return message
    .trim()
    .replaceAll("<", "&lt;")
    .replaceAll(/`[^`]*`/g, (quoted) => quoted.replaceAll("&lt;", "<"));
}
