/**
 * Readers who copy an example also copy its hints, so every tool in it declares whether it changes data and reaches
 * other systems.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../..");

/** Files with code that people copy. */
const SHOWN = ["README.md", "packages/docs", "templates", "examples", "test/compile/diagnostic-notes.md"];
const OMITTED = /(?:^|\/)(?:node_modules|dist|\.tenon|\.vitepress)\//;

/** Code of other frameworks. */
const FOREIGN = /parameters: z\.object/;

function listFiles(path: string): string[] {
  if (/\.(?:md|tsx?)$/.test(path)) return [path];
  return readdirSync(join(workspace, path), { recursive: true, encoding: "utf8" })
    .map((name) => `${path}/${name}`)
    .filter((each) => /\.(?:md|tsx?)$/.test(each) && !OMITTED.test(each));
}

/** Returns the options of each decorated method, with its line. Prose and code frames quote decorators without methods. */
function findTools(text: string): { line: number; options: string }[] {
  return [...text.matchAll(/^ *(?:\/\*\*.*\*\/ )?@Tool(?:<\w+>)?\(/gm)].flatMap((match) => {
    const start = match.index + match[0].length;
    let depth = 1;
    let end = start;
    for (; depth > 0 && end < text.length; end++) depth += "(" === text[end] ? 1 : ")" === text[end] ? -1 : 0;
    const options = text.slice(start, end - 1).trim();
    const isPrefix = /^\{ prefix: "\w+" \}$/.test(options);
    return isPrefix ? [] : [{ line: text.slice(0, match.index).split("\n").length, options }];
  });
}

test.each(SHOWN)("every tool in %s sets `readOnly` or `destructive`, and `openWorld`", (path) => {
  const missing = listFiles(path).flatMap((file) =>
    findTools(readFileSync(join(workspace, file), "utf8"))
      .filter(
        ({ options }) => !/\b(?:readOnly|destructive)\b/.test(options) || !options.includes("openWorld"),
      )
      .filter(({ options }) => !FOREIGN.test(options))
      .map(({ line, options }) => `${file}:${line}: ${options}`),
  );
  expect(missing).toEqual([]);
});
