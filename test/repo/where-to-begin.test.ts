/**
 * What the table "Where to begin" of `packages/README.md` adds has places that no type holds together. Each is named here.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { CONTENT_KINDS, type JsonSchema } from "@tenon/runtime/manifest";
import { metrics } from "@tenon/runtime/metrics";
import { expect, test } from "vitest";
import { FORM_NAMES } from "../../packages/cli/src/package/forms/package-form.js";
import { isModern, REVISIONS } from "../../packages/cli/playground/state/notes.js";
import { DECORATOR_OPTIONS } from "../../packages/compiler/src/declared-options.js";
import { revisionIds } from "../../packages/runtime/src/protocol/revisions.js";
import { INSTALLABLE_CLIENTS } from "../../packages/cli/src/install/client-config.js";
import { tagsOf } from "../../packages/compiler/src/write/doc-source.js";
import { commandNames } from "../support/command-names.js";
import { REVISIONS as TRIED_REVISIONS } from "../support/describe-transports.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { importGraph } from "./imports.js";

const workspace = join(import.meta.dirname, "../..");

/** The files of a folder with that ending, as paths from the workspace. */
function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(join(workspace, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

function textOf(path: string): string {
  return readFileSync(join(workspace, path), "utf8");
}

test.each(commandNames())("`tenon %s` has a row in the table of commands", (name) => {
  expect(textOf("packages/cli/README.md")).toMatch(new RegExp(`^\\| \`tenon ${name}\\b`, "m"));
});

const cli = "packages/cli/src";
const cliGraph = importGraph(join(workspace, cli));

/** The code of a command and of the rooms behind it, without texts and comments. */
function codeOf(command: string): string {
  const start = filesIn(`${cli}/commands`, ".ts").find((path) =>
    textOf(path).includes(`export function ${command}Command(`),
  );
  const reached = new Set([start?.slice(cli.length + 1) ?? ""]);
  // Whatever a command does begins within three steps of imports.
  for (const _step of [1, 2, 3])
    for (const file of [...reached]) for (const next of cliGraph.get(file) ?? []) reached.add(next);
  const code = [...reached].map((file) => textOf(join(cli, file))).join("\n");
  return code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "");
}

test.each(commandNames())("every option of `tenon %s` is declared and read", async (name) => {
  const terminal = recordingTerminal(workspace);
  await run([name, "--help"], terminal);
  const code = codeOf(name);
  const options = Array.from(
    terminal.stdout().matchAll(/^ {2}(?:-\w, {1,2}| {4})?--(?:no-)?([a-z-]+)/gm),
    ([, flag = ""]) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ).filter((option) => option !== "help");
  const isRead = (option: string): boolean => {
    // Declared and read by way of their list.
    if (FORM_NAMES.some((form) => form === option)) return true;
    const declared = code.match(new RegExp(`\\b${option}\\??:`, "g")) ?? [];
    const used = code.match(new RegExp(`\\b${option}\\b`, "g")) ?? [];
    return declared.length > 0 && used.length > declared.length;
  };
  expect(options.filter((option) => !isRead(option))).toEqual([]);
});

test.each(INSTALLABLE_CLIENTS.map(({ name }) => name))("people are told of the client %s", (name) => {
  const pages = [
    "packages/cli/src/commands/install.ts",
    "packages/cli/README.md",
    "packages/docs/guide/clients.md",
  ];
  expect(pages.filter((path) => !new RegExp(`\\b${name}\\b`).test(textOf(path)))).toEqual([]);
});

test("every metric is on the page of operations", () => {
  const names = Array.from(
    metrics()
      .text()
      .matchAll(/^# TYPE (mcp_\w+)/gm),
    ([, name = ""]) => name,
  );
  expect(names).toContain("mcp_server_info");
  expect(names.filter((name) => !textOf("packages/runtime/OPERATIONS.md").includes(`\`${name}\``))).toEqual(
    [],
  );
});

const tagRows = Array.from(
  textOf("packages/docs/reference/tags.md").matchAll(/^\| `+(@.+?)`+ +\|.*\| `(\{.*\})` +\|/gm),
  ([, tag = "", schema = ""]) => ({ tag, schema: JSON.parse(schema) as JsonSchema }),
);

test.each(tagRows)("import writes $tag for what it becomes", ({ tag, schema }) => {
  const [name = ""] = tag.split(" ");
  expect(tagsOf(schema).filter((each) => each.split(" ")[0] === name)).toHaveLength(1);
});

test.each(FORM_NAMES)("the package form %s is made and run by a test, and on a page", (name) => {
  expect(existsSync(join(workspace, `test/e2e/package/${name}.test.ts`))).toBe(true);
  const pages = ["packages/cli/README.md", ...filesIn("packages/docs/guide", ".md")];
  expect(pages.filter((path) => textOf(path).includes(`--${name}`))).not.toEqual([]);
});

test.each(Object.values(CONTENT_KINDS).map(({ typeName }) => typeName))("authors can import %s", (name) => {
  expect(textOf("packages/runtime/src/index.ts")).toMatch(new RegExp(`^  ${name},$`, "m"));
});

test("the playground offers every revision, newest first", () => {
  expect(REVISIONS).toEqual([...revisionIds("modern"), ...revisionIds("legacy")]);
  expect(REVISIONS.filter((id) => isModern(id))).toEqual(revisionIds("modern"));
});

test("what is tried in every revision is tried in each that is served", () => {
  expect(new Set(TRIED_REVISIONS)).toEqual(new Set([...revisionIds("modern"), ...revisionIds("legacy")]));
});

test.each(["modern", "legacy"] as const)(
  "the page on eras names the oldest and newest %s revision",
  (era) => {
    const ids = revisionIds(era);
    const [oldest, newest] = [ids.at(-1), ids[0]];
    const shown = oldest === newest ? `${era}: ${newest}` : `${era}: ${oldest} to ${newest}`;
    expect(textOf("packages/docs/concepts/eras.md")).toContain(`| ${shown} `);
  },
);

const decorators = filesIn("test/compile/fixtures/manifests", ".ts")
  .flatMap((path) => [...textOf(path).matchAll(/@(?:Tool|Prompt|Resource)\([^@]*?\)\s/g)])
  .map(([text]) => text);

test.each(Object.entries(DECORATOR_OPTIONS).flatMap(([name, kind]) => (kind === "server" ? [] : name)))(
  "a fixture shows what the option `%s` does to the manifest",
  (name) => {
    expect(decorators.filter((text) => new RegExp(`\\b${name}\\b(?::|,| })`).test(text))).not.toEqual([]);
  },
);
