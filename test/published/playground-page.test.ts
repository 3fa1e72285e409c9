import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const MAX_BYTES = 300_000;

test("the page of the playground is built, and small", () => {
  const folder = resolve(import.meta.dirname, "../../packages/cli/dist/playground/page");
  const names = readdirSync(folder);
  expect(names.sort()).toEqual([
    "icon.svg",
    "index.html",
    "page.css",
    "page.js",
    "page.js.LEGAL.txt",
    // `tenon view` displays views in it.
    "view-page.js",
  ]);
  const sizes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});
