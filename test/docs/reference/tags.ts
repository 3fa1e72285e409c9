/**
 * Generates the page of tags: each tag at a property, with the schema that the compiler derives.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "@tenon/compiler/keywords";
import type { ScratchProject } from "../../support/scratch-project.js";
import { workspace } from "../pages.js";

interface TagCase {
  readonly tag: string;
  /** The syntax of the tag. */
  readonly written: string;
  readonly type: string;
  readonly about: string;
}

const CASES: readonly TagCase[] = [
  { tag: "minimum", written: "@minimum 1", type: "number", about: "numbers, bigint" },
  { tag: "maximum", written: "@maximum 14", type: "number", about: "numbers, bigint" },
  { tag: "exclusiveMinimum", written: "@exclusiveMinimum 0", type: "number", about: "numbers, bigint" },
  { tag: "exclusiveMaximum", written: "@exclusiveMaximum 1", type: "number", about: "numbers, bigint" },
  { tag: "multipleOf", written: "@multipleOf 0.5", type: "number", about: "numbers, bigint" },
  { tag: "integer", written: "@integer", type: "number", about: "numbers" },
  { tag: "minLength", written: "@minLength 1", type: "string", about: "text" },
  { tag: "maxLength", written: "@maxLength 200", type: "string", about: "text" },
  { tag: "pattern", written: "@pattern ^[A-Z]{3}$", type: "string", about: "text" },
  { tag: "format", written: "@format email", type: "string", about: "text" },
  { tag: "minItems", written: "@minItems 1", type: "string[]", about: "lists" },
  { tag: "maxItems", written: "@maxItems 10", type: "string[]", about: "lists" },
  { tag: "uniqueItems", written: "@uniqueItems", type: "string[]", about: "lists" },
  {
    tag: "default",
    written: '@default "metric"',
    type: '"metric" | "imperial"',
    about: "anything, as JSON; `@defaultValue` means the same",
  },
  { tag: "example", written: "@example Oslo", type: "string", about: "anything, as JSON or as text" },
  {
    tag: "title",
    written: "@title Postal code",
    type: "string",
    about: "anything: label for people, in place of the name; on a method, that of the tool",
  },
  { tag: "deprecated", written: "@deprecated Use `city`.", type: "string", about: "anything" },
  {
    tag: "secret",
    written: "@secret",
    type: "string",
    about: "anything that logs and traces must not contain",
  },
  {
    tag: "header",
    written: "@header Region",
    type: "string",
    about:
      "text, whole numbers, and booleans among the arguments of tools: clients of 2026-07-28 also send them as headers. Ignored in results.",
  },
];

/** Tags for files, whose limits are several keywords and part of the description. */
const OF_FILES: readonly (readonly [tag: string, written: string, about: string])[] = [
  ["accept", "@accept image/png, image/*", "accepted MIME types, or ranges of them"],
  ["maxSize", "@maxSize 5 MB", "maximum size, in bytes or with a unit: kB, MB, GB, KiB, MiB, GiB"],
];

/** Tags for methods, which become no keyword. */
const OF_METHODS: readonly (readonly [tag: string, about: string])[] = [
  ["@param name text", "the description of a parameter; constraint tags on the lines below it belong to it"],
  ["@mimeType text/markdown", "the MIME type of a resource"],
  [
    "@deprecated Use other.",
    "appended to the description, because definitions have no member for it; also marks the function in clients of `tenon types`",
  ],
  ["@enumNames One, Two", "in forms of `ctx.elicit`: labels of the choices, in order"],
  [
    "@remarks More text.",
    "appended to the description; `@returns`, `@throws`, and `@see` are not part of it",
  ],
];

/** Returns every tag of Tenon, as in the compiler's table. */
export function ownTags(): string[] {
  const source = readFileSync(join(workspace, "packages/compiler/src/jsdoc/tags.ts"), "utf8");
  const tables = [...source.matchAll(/const (?:CONSTRAINT|ANNOTATION)_TAGS = \{\n([\s\S]*?)\n\}/g)];
  const own = tables.flatMap(([, table = ""]) =>
    [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name = ""]) => name),
  );
  return [...LIMITS, ...own];
}

export const shownTags = (): string[] =>
  [...CASES, ...OF_FILES.map(([tag]) => ({ tag }))].map(({ tag }) => tag);

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
  return `# JSDoc tags

JSDoc tags become keywords of the JSON Schema, and Tenon validates calls against them. Write a tag in one of these places:

- in the comment of a type, a property, an index signature, or the \`[K in …]\` of a mapped type
- in a comment directly before a type
- below the \`@param\` of a parameter. There, \`@deprecated\` and any \`@example\` of code (a call, or several lines) still apply to the method.
- inside the brackets of an index signature, before \`code\` in \`{ [code: string]: number }\`, to constrain the names

The tags of an alias or a property apply wherever its type is used: in \`Code[]\`, \`Record<Code, number>\`, \`Book["pages"]\`,
\`Awaited<ReturnType<typeof count>>\`. There are two exceptions:

- Names of members have limits only. The title, the description, the examples, and the \`@deprecated\` of \`Code\` do not appear in
  the schema of \`Record<Code, number>\`.
- An object type with other members, such as \`Partial<Book>\` or \`Book & { isbn: string }\`, does not have the comment of \`Book\`, except for
  a \`@secret\`. \`Readonly<Book>\` has it, and so has \`Same<Book>\` if \`type Same<T> = { [K in keyof T]: T[K] }\`. Members keep
  their own comments.

A tag that does not fit its type is [an error](../../compiler/errors/constraint-does-not-fit.md).

Callers may omit an argument or property with a \`@default\`, even if its type requires it: the method then receives the default.
Tenon checks multiples by their decimal digits, so 19.99 is a multiple of 0.01.

| written | on | becomes | for |
| --- | --- | --- | --- |
${rows.join("\n")}

## Tags for files

The server checks these limits of [a \`File\` or \`Blob\`](../guide/files.md#files-as-arguments) when it reads the file. Clients see them in the description,
and in the keywords \`contentMediaType\`, \`maxLength\`, and \`x-mcp-file\`.

| tag | meaning |
| --- | --- |
${OF_FILES.map(([, written, about]) => `| \`${written}\` | ${about} |`).join("\n")}

## Tags for methods

| tag | meaning |
| --- | --- |
${OF_METHODS.map(([written, about]) => `| \`${written}\` | ${about} |`).join("\n")}

For examples, see [Arguments and validation](../guide/arguments.md#constraints).
`;
}

/** Formats text as code in a table cell. */
function code(text: string): string {
  const marks = text.includes("`") ? "``" : "`";
  return `${marks}${text.replaceAll("|", "\\|")}${marks}`;
}
