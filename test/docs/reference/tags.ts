/**
 * The page of tags: each written at a property, and what the compiler makes of it.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScratchProject } from "../../support/scratch-project.js";
import { workspace } from "../pages.js";

interface TagCase {
  readonly tag: string;
  /** As it is written. */
  readonly written: string;
  readonly type: string;
  readonly about: string;
}

const CASES: readonly TagCase[] = [
  { tag: "minimum", written: "@minimum 1", type: "number", about: "numbers, bigint" },
  { tag: "maximum", written: "@maximum 14", type: "number", about: "numbers, bigint" },
  { tag: "exclusiveMinimum", written: "@exclusiveMinimum 0", type: "number", about: "numbers" },
  { tag: "exclusiveMaximum", written: "@exclusiveMaximum 1", type: "number", about: "numbers" },
  { tag: "multipleOf", written: "@multipleOf 0.5", type: "number", about: "numbers" },
  { tag: "integer", written: "@integer", type: "number", about: "numbers" },
  { tag: "minLength", written: "@minLength 1", type: "string", about: "text" },
  { tag: "maxLength", written: "@maxLength 200", type: "string", about: "text" },
  { tag: "pattern", written: "@pattern ^[A-Z]{3}$", type: "string", about: "text" },
  { tag: "format", written: "@format email", type: "string", about: "text" },
  { tag: "minItems", written: "@minItems 1", type: "string[]", about: "lists" },
  { tag: "maxItems", written: "@maxItems 10", type: "string[]", about: "lists" },
  { tag: "uniqueItems", written: "@uniqueItems", type: "string[]", about: "lists" },
  { tag: "default", written: '@default "metric"', type: '"metric" | "imperial"', about: "anything, as JSON" },
  { tag: "example", written: "@example Oslo", type: "string", about: "anything, as JSON or as text" },
  {
    tag: "title",
    written: "@title Postal code",
    type: "string",
    about: "anything: shown to people instead of the name",
  },
  { tag: "deprecated", written: "@deprecated Use `city`.", type: "string", about: "anything" },
  { tag: "secret", written: "@secret", type: "string", about: "anything that must not be in logs or traces" },
  {
    tag: "header",
    written: "@header Region",
    type: "string",
    about: "text, numbers, booleans: clients of 2026-07-28 send the argument as a header as well",
  },
];

/** Tags of methods, which become no keyword. */
const OF_METHODS: readonly (readonly [tag: string, about: string])[] = [
  ["@param name text", "the description of a parameter; constraint tags on the lines below it belong to it"],
  ["@mimeType text/markdown", "the MIME type of a resource"],
  [
    "@deprecated Use other.",
    "at the end of the description, since definitions have no member for it; clients of `tenon types` are marked",
  ],
  ["@enumNames One, Two", "in forms of `ctx.elicit`: what people see of the choices of a string, in order"],
];

/** Every tag of ours, as the compiler's table has them. */
export function ownTags(): string[] {
  const source = readFileSync(join(workspace, "packages/compiler/src/jsdoc/tags.ts"), "utf8");
  const tables = [...source.matchAll(/const (?:CONSTRAINT|ANNOTATION)_TAGS = \{\n([\s\S]*?)\n\}/g)];
  return tables.flatMap(([, table = ""]) =>
    [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name = ""]) => name),
  );
}

export const shownTags = (): string[] => CASES.map(({ tag }) => tag);

export function tagsPage(project: ScratchProject): string {
  const members = CASES.map(({ tag, written, type }) => `  /** ${written} */\n  ${tag}: ${type};`);
  const { manifest, diagnostics } = project.compile({
    "src/tags.ts": `import { Tool } from "@tenon/runtime";
export class Tags {
  /** Has every tag. */
  @Tool() every(args: {
${members.join("\n")}
  }): string { return String(args.minimum); }
}
`,
  });
  if (diagnostics.length > 0) throw new Error(diagnostics.map((each) => each.message).join("\n"));
  const properties = manifest?.tools[0]?.definition.inputSchema["properties"] as Record<string, object>;
  const rows = CASES.map(
    ({ tag, written, type, about }) =>
      `| ${code(written)} | ${code(type)} | ${code(JSON.stringify(properties[tag]))} | ${about} |`,
  );
  return `# Tags

Tags stand in the comment of a property, of an index signature, of the \`[K in …]\` of a mapped type or of a type, right
before a type, or below the \`@param\` of a parameter. What an alias or a property says holds wherever its type is used: in
\`Code[]\`, \`Record<Code, number>\`, \`Book["pages"]\`, \`Awaited<ReturnType<typeof count>>\`. Tags become keywords of the schema
that clients are listed, and calls are held to them. A tag that does not fit its type is
[a diagnostic](../../compiler/errors/constraint-does-not-fit.md).

| written | at | becomes | for |
| --- | --- | --- | --- |
${rows.join("\n")}

## Tags of methods

| written | says |
| --- | --- |
${OF_METHODS.map(([written, about]) => `| \`${written}\` | ${about} |`).join("\n")}

How to write them is shown in [Typing tools](../guide/typing-tools.md).
`;
}

/** As code in a cell of a table. */
function code(text: string): string {
  const marks = text.includes("`") ? "``" : "`";
  return `${marks}${text.replaceAll("|", "\\|")}${marks}`;
}
