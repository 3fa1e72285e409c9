/**
 * What others can import, and the versions of what Tenon writes into their folders. A name that is gone or new is a change
 * of a version's promise: the diff of `api/` is where it is reviewed (`npm test -- -u` accepts it).
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { MANIFEST_VERSION } from "@tenon/runtime/manifest";
import { Node, Project } from "ts-morph";
import { expect, test } from "vitest";
import { PUBLISHED } from "../../.ci/locked-packages.mjs";
import { CONTRACT_VERSION } from "../../packages/cli/src/contract/contract.js";

const repository = resolve(import.meta.dirname, "../..");

interface Exports {
  name: string;
  exports?: Record<string, string | { types: string }>;
}

test.each(PUBLISHED)("%s exports what it promised", async (folder) => {
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
        `  ${exported}: ${[...new Set(declarations.map(kindOf))].sort().join(", ")}`,
    );
    return [join(name, path), ...names.sort()].join("\n");
  });
  await expect(`${text.join("\n\n")}\n`).toMatchFileSnapshot(`api/${name.replace("@tenon/", "")}.txt`);
});

function kindOf(declaration: Node): string {
  if (Node.isVariableDeclaration(declaration)) return "value";
  return declaration.getKindName().replace("Declaration", "").replace("Alias", "").toLowerCase();
}

test("what is written into folders of others has the version that was promised", () => {
  expect({ "the manifest": MANIFEST_VERSION, "tenon.lock.json": CONTRACT_VERSION }).toMatchInlineSnapshot(`
    {
      "tenon.lock.json": 1,
      "the manifest": 1,
    }
  `);
});
