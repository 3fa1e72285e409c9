/**
 * Packages that a deployed server installs.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../packages/runtime");

interface Package {
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
}

const { exports, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package;

test("the runtime depends on reflect-metadata alone", () => {
  expect(Object.keys(dependencies)).toEqual(["reflect-metadata"]);
});

test("every entry of the runtime is published with its types, without source maps and internal types", () => {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--silent"], {
    cwd: root,
    encoding: "utf8",
  });
  const packed = JSON.parse(text) as { files: { path: string }[] }[] | Record<string, never>;
  const [{ files }] = Object.values(packed) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  const entries = Object.values(exports).flatMap((each) =>
    typeof each === "string" ? each : Object.values(each),
  );
  expect(paths).toEqual(expect.arrayContaining(entries.map((entry) => normalize(entry))));
  expect(paths.filter((path) => path.endsWith(".map"))).toEqual([]);
  expect(paths).toContain("dist/sbom.cdx.json");
  // Reached by an entry, and internal.
  expect(paths).toContain("dist/api/context.d.ts");
  expect(paths).toContain("dist/call/stages/stages.js");
  expect(paths).not.toContain("dist/call/stages/stages.d.ts");
});
