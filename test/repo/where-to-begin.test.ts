/**
 * What the table "Where to begin" of `packages/README.md` adds has places that no type holds together. Each is named here.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTENT_KINDS } from "@tenon/runtime/manifest";
import { expect, test } from "vitest";
import { FORM_NAMES } from "../../packages/cli/src/package/forms/package-form.js";
import { isModern, REVISIONS } from "../../packages/cli/playground/state/notes.js";
import { DECORATOR_OPTIONS } from "../../packages/compiler/src/declared-options.js";
import { revisionIds } from "../../packages/runtime/src/protocol/revisions.js";
import { commandNames } from "../support/command-names.js";
import { REVISIONS as TRIED_REVISIONS } from "../support/describe-transports.js";

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
