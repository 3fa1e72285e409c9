import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../..");
const packages = join(workspace, "packages");

/** The folders that the sections of the page describe. A path without a package is in one of them. */
const ROOMS = [
  "",
  "runtime/src",
  "compiler/src",
  "cli/src",
  "compiler/src/schema",
  "cli/src/dev",
  "runtime/src/call/input",
];

const page = readFileSync(join(packages, "README.md"), "utf8").replaceAll(/```[\s\S]*?```/g, "");

test("every path that packages/README.md names exists", () => {
  const named = [...page.matchAll(/`((?:\.\.\/)?[\w.-]+(?:\/[\w.*-]+)+\/?|[\w-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  const paths = named.filter(
    (path) => /\.(ts|json|md)$|\/$/.test(path) && !path.includes("*") && !path.startsWith("dist/"),
  );
  expect(paths.length).toBeGreaterThan(30);
  const isThere = (path: string): boolean =>
    existsSync(join(workspace, path)) || ROOMS.some((room) => existsSync(join(packages, room, path)));
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

test("every name that packages/README.md mentions for a file is declared there", () => {
  const named = [...page.matchAll(/`(\w+)` in `((?:runtime|compiler|cli)\/[\w./-]+\.ts)`/g)];
  expect(named.length).toBeGreaterThan(2);
  const lost = named.filter(([, name = "", path = ""]) => {
    const text = readFileSync(join(packages, path), "utf8");
    return !new RegExp(`^(?:export )?(?:const|function|interface|type) ${name}\\b`, "m").test(text);
  });
  expect(lost.map(([text]) => text)).toEqual([]);
});
