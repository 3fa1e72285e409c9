import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import {
  FORMER_NAMES,
  PAGE_RULES,
  PAGE_TITLE_RULES,
  type LanguageRule,
  LINE_RULES,
  TITLE_RULES,
} from "./language-rules.js";
import { type Excerpt, titlesIn } from "./test-titles.js";

const workspace = join(import.meta.dirname, "../..");

const FOLDERS = ["packages", "templates", "examples", "test", ".github", ".changeset", ".ci"];
const TEXT_FILES = /\.(?:[mc]?[jt]sx?|vue|css|md|json|ya?ml|sh)$|(?:^|\/)run$/;
/** Installed or generated folders, sources as users write them, and schemas of the specification. */
const OMITTED = /^(?:node_modules|dist|\.tenon|cache|third-party|schema|fixtures)$/;

/** Files that quote the rules, and texts of other programs. */
const QUOTING = new Set(["test/repo/language-rules.ts", "test/repo/language.test.ts"]);

/** Returns the paths of the text files in a folder, relative to the repository. */
function textFiles(folder: string): string[] {
  return readdirSync(join(workspace, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return OMITTED.test(entry.name) ? [] : textFiles(path);
    return TEXT_FILES.test(path) && !path.endsWith("package-lock.json") && !QUOTING.has(path) ? [path] : [];
  });
}

const FILES = [...FOLDERS.flatMap(textFiles), "README.md"].map((path) => ({
  path,
  text: readFileSync(join(workspace, path), "utf8"),
}));

function linesOf(text: string): Excerpt[] {
  return text.split("\n").map((each, index) => ({ line: index + 1, text: each }));
}

/** Returns what the rules find, each with its position and the better word. */
function violations(path: string, excerpts: readonly Excerpt[], rules: readonly LanguageRule[]): string[] {
  return excerpts.flatMap(({ line, text }) =>
    rules.flatMap(({ find, use }) => {
      const [found] = find.exec(text) ?? [];
      return found === undefined ? [] : [`${path}:${line}: "${found.trim()}" → ${use}`];
    }),
  );
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Returns the exported functions of a module that have no doc comment; one overload with a comment is enough. */
function undocumentedFunctions(file: ts.SourceFile): string[] {
  const documented = new Map<string, boolean>();
  for (const statement of file.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) continue;
    const hasComment = ts.getJSDocCommentsAndTags(statement).length > 0;
    for (const name of functionNames(statement))
      documented.set(name, hasComment || documented.get(name) === true);
  }
  return [...documented].filter(([, hasComment]) => !hasComment).map(([name]) => name);
}

function functionNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? "default"];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations
    .filter(({ initializer }) => initializer && ts.isArrowFunction(initializer))
    .map(({ name }) => name.getText());
}

const NAME_RULES: readonly LanguageRule[] = Object.entries(FORMER_NAMES).map(([former, current]) => ({
  find: new RegExp(String.raw`(?<![\w-])${former.replaceAll(".", String.raw`\.`)}(?![\w-])`),
  use: current,
  wrong: former,
  right: current,
}));

/** Tests and their tables, of which some are modules of their own. */
const WITH_TITLES = /\.test\.ts$|^test\/.*\.ts$|^packages\/runtime\/src\/store\/contract\/.*\.ts$/;

const PAGE_TITLE = /^(?:# |title: "?)(.+)$/;

describe("the style guide", () => {
  test("is followed in every line of code and prose", () => {
    const rules = [...LINE_RULES, ...NAME_RULES];
    expect(FILES.flatMap(({ path, text }) => violations(path, linesOf(text), rules))).toEqual([]);
  });

  test("is followed in the titles of tests", () => {
    const found = FILES.filter(({ path }) => WITH_TITLES.test(path)).flatMap(({ path, text }) =>
      violations(path, titlesIn(parse(path, text)), TITLE_RULES),
    );
    expect(found).toEqual([]);
  });

  test("is followed in every page", () => {
    const pages = FILES.filter(({ path }) => path.endsWith(".md"));
    expect(pages.flatMap(({ path, text }) => violations(path, linesOf(text), PAGE_RULES))).toEqual([]);
  });

  test("is followed in the titles of pages", () => {
    const found = FILES.filter(({ path }) => /^packages\/docs\/.*\.md$/.test(path)).flatMap(
      ({ path, text }) => {
        const titles = linesOf(text).flatMap(({ line, text }) => {
          const [, title] = PAGE_TITLE.exec(text) ?? [];
          return title === undefined ? [] : [{ line, text: title }];
        });
        return violations(path, titles, PAGE_TITLE_RULES);
      },
    );
    expect(found).toEqual([]);
  });

  test("requires a doc comment on every exported function", () => {
    const found = FILES.filter(({ path }) => /^packages\/[\w-]+\/src\/.*\.ts$/.test(path)).flatMap(
      ({ path, text }) => undocumentedFunctions(parse(path, text)).map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});

describe("a rule of the style guide", () => {
  test.each([...LINE_RULES, ...NAME_RULES, ...TITLE_RULES, ...PAGE_RULES, ...PAGE_TITLE_RULES])(
    "finds %j where it applies, and nothing else",
    ({ find, wrong, right }) => {
      expect(wrong).toMatch(find);
      expect(right).not.toMatch(find);
    },
  );

  test.each([
    'describe("a", () => { test.each([1])("and b %i", f); });',
    "test(`of ${c}`, f);",
    'const cases = { "a b": 1, "of c": 2 }; test.each(Object.entries(cases))("%s", f);',
    'const cases = { group: { async "of c"() {} } };',
    'test.each(["a b", "of c"])("%s fails", f);',
    'test.each([["a b", 1], ["of c", 2]] as const)("%s", f);',
    'test.each([{ name: "of c", title: "d" }])("$name", f);',
  ])("finds the title in %j", (text) => {
    expect(violations("a", titlesIn(parse("a.test.ts", text)), TITLE_RULES)).toHaveLength(1);
  });

  test.each(['test.each(["of c"])("a tag %s", f);', "const cases = { of: 1 };", 'call("of c");'])(
    "finds no title that begins wrongly in %j",
    (text) => {
      expect(violations("a", titlesIn(parse("a.test.ts", text)), TITLE_RULES)).toEqual([]);
    },
  );

  test("accepts a function of which one overload has a comment", () => {
    const file = parse(
      "a.ts",
      "/** A. */ export function a(): void; export function a(b?: 1): void {} export const c = () => 1; export const d = 2;",
    );
    expect(undocumentedFunctions(file)).toEqual(["c"]);
  });
});
