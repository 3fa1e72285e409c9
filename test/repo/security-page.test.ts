import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../..");
const page = readFileSync(join(workspace, ".github/SECURITY.md"), "utf8");

/** The rows of the tables of promises, without their heads. */
const rows = page
  .slice(page.indexOf("## Promises"), page.indexOf("## Out of scope"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:promise |-+ )/.test(line));

/** Tests that the page names, as `file`: "title". */
function testsIn(text: string): { file: string; title: string }[] {
  return Array.from(text.matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g), ([, file = "", title = ""]) => ({
    file,
    title,
  }));
}

/** Returns whether a file has a test or a group with this title. */
function isThere({ file, title }: { file: string; title: string }): boolean {
  const path = join(workspace, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, "utf8");
  const isTitle = ['"', "`"].some((quote) => source.includes(`(${quote}${title}${quote}`));
  // After a table of cases, the title is on its own line or after the list.
  return isTitle || source.split("\n").some((line) => line.trim().startsWith(`"${title}",`));
}

test("every guarantee in SECURITY.md names a test", () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => testsIn(row).length === 0 && !row.includes("`npm run soak`"))).toEqual([]);
});

test("every test that SECURITY.md names exists", () => {
  expect(testsIn(page).filter((each) => !isThere(each))).toEqual([]);
});
