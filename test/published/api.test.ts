/**
 * Public exports, and the versions of the files that Tenon writes into the folders of users. An added or removed name changes
 * the public API: it is reviewed in the diff of `api/` (`npm test -- -u` accepts it).
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { MANIFEST_VERSION } from "@tenon/runtime/manifest";
import { Node, Project } from "ts-morph";
import { expect, test } from "vitest";
import { PUBLISHED } from "../../.ci/locked-packages.mjs";
// Internal: the version of a file format is part of the published API.
import { CONTRACT_VERSION } from "../../packages/cli/src/contract/contract.js";

const repository = resolve(import.meta.dirname, "../..");

interface Exports {
  name: string;
  exports?: Record<string, string | { types: string }>;
}

test.each(PUBLISHED)("the exports of %s match the recorded API", async (folder) => {
  const { name, exports = {} } = JSON.parse(
    readFileSync(join(repository, folder, "package.json"), "utf8"),
  ) as Exports;
  const project = new Project({
    compilerOptions: { skipLibCheck: true },
    skipFileDependencyResolution: true,
  });
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    const file = project.addSourceFileAtPath(join(repository, folder, target.types));
    return [{ path, file }];
  });
  project.resolveSourceFileDependencies();
  const text = entries.map(({ path, file }) => {
    const names = [...file.getExportedDeclarations()].map(
      ([exported, declarations]) =>
        `  ${exported}: ${[...new Set(declarations.map(getKind))].sort().join(", ")}`,
    );
    return [join(name, path), ...names.sort()].join("\n");
  });
  await expect(`${text.join("\n\n")}\n`).toMatchFileSnapshot(`api/${name.replace("@tenon/", "")}.txt`);
});

function getKind(declaration: Node): string {
  if (Node.isVariableDeclaration(declaration)) return "value";
  return declaration.getKindName().replace("Declaration", "").replace("Alias", "").toLowerCase();
}

test("files written into users' folders have the recorded version", () => {
  expect({ "the manifest": MANIFEST_VERSION, "tenon.contract.json": CONTRACT_VERSION })
    .toMatchInlineSnapshot(`
    {
      "tenon.contract.json": 1,
      "the manifest": 1,
    }
  `);
});
