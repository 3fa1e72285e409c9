/**
 * What a deployed server installs: each file takes a block of its own on disk, so that many small ones add up.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../..");
const root = join(workspace, "packages/runtime");

interface Package {
  exports: Record<string, string | { types: string; default: string }>;
  dependencies: Record<string, string>;
}

const { exports, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package;
const entries = Object.values(exports).map((each) => (typeof each === "string" ? { default: each } : each));

/** By path, as `npm pack` would have them. */
let published: Map<string, number>;

beforeAll(() => {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--silent"], {
    cwd: root,
    encoding: "utf8",
  });
  const packed = JSON.parse(text) as { files: { path: string; size: number }[] }[] | Record<string, never>;
  const [{ files }] = Object.values(packed) as [{ files: { path: string; size: number }[] }];
  published = new Map(files.map(({ path, size }) => [path, size]));
});

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"'\n]+)["']/g;

/** All files that these import, and what those import. */
function reachable(starts: readonly string[], toPath: (imported: string) => string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || !path.startsWith("dist/")) return;
    found.add(path);
    const text = readFileSync(join(root, path), "utf8").replaceAll(/^\s*\*.*$/gm, "");
    for (const [, name = ""] of text.matchAll(IMPORT)) visit(toPath(normalize(join(dirname(path), name))));
  };
  for (const start of starts) visit(normalize(start));
  return [...found].sort();
}

describe("the published runtime", () => {
  test("has the modules that its entries import, and no others", () => {
    const modules = [...published.keys()].filter((path) => path.endsWith(".js")).sort();
    expect(modules).toEqual(
      reachable(
        entries.map((each) => each.default),
        (path) => path,
      ).filter((path) => path.endsWith(".js")),
    );
  });

  test("has the types that those of its entries refer to, and no others", () => {
    const declared = [...published.keys()].filter((path) => path.endsWith(".d.ts")).sort();
    const starts = entries.flatMap((each) => ("types" in each ? [each.types] : []));
    expect(declared).toEqual(reachable(starts, (path) => path.replace(/\.js$/, ".d.ts")));
  });

  test("takes, with what it depends on, two packages and 1 MiB", () => {
    const blocks = (bytes: number): number => Math.ceil(bytes / 4096) * 4096;
    expect(Object.keys(dependencies)).toEqual(["reflect-metadata"]);
    const folder = join(workspace, "node_modules/reflect-metadata");
    const theirs = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => statSync(join(folder, name)))
      .filter((each) => each.isFile())
      .map(({ size }) => size);
    const bytes = [...published.values(), ...theirs].reduce((sum, size) => sum + blocks(size), 0);
    expect(bytes / 1024 ** 2).toBeLessThanOrEqual(1);
  });
});
