/** Files that another program has open, as on Windows. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "@tenon/compiler/report";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
let draft: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-open-"));
  draft = join(folder, "draft");
  target = join(folder, "target");
  writeFileSync(draft, "new");
  writeFileSync(target, "old");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns a `rename` that fails a number of times. */
function renameAfter(failures: number, code: string): { rename: typeof renameSync; attempts: () => number } {
  let attempts = 0;
  const rename: typeof renameSync = (from, to) => {
    attempts++;
    if (attempts <= failures) throw Object.assign(new Error(code), { code });
    renameSync(from, to);
  };
  return { rename, attempts: () => attempts };
}

test.each(["EACCES", "EBUSY", "EPERM"])(
  "a file is replaced after another program has closed it: %s",
  (code) => {
    const { rename, attempts } = renameAfter(3, code);
    replaceFile(draft, target, { platform: "win32", rename });
    expect(readFileSync(target, "utf8")).toBe("new");
    expect(attempts()).toBe(4);
  },
);

test("a file that stays open, and any other error, is reported", () => {
  const open = renameAfter(Infinity, "EBUSY");
  expect(() => replaceFile(draft, target, { platform: "win32", rename: open.rename })).toThrow("EBUSY");
  const full = renameAfter(1, "ENOSPC");
  expect(() => replaceFile(draft, target, { platform: "win32", rename: full.rename })).toThrow("ENOSPC");
  expect(full.attempts()).toBe(1);
  expect(readFileSync(target, "utf8")).toBe("old");
});

test("other systems can replace open files, so no error is repeated", () => {
  const { rename, attempts } = renameAfter(1, "EACCES");
  expect(() => replaceFile(draft, target, { platform: "linux", rename })).toThrow("EACCES");
  expect(attempts()).toBe(1);
});
