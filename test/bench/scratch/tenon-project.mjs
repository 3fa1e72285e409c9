import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extraDescription, extraName } from "../subjects/workload.mjs";
import { repository } from "./packages.mjs";
import { run } from "./run.mjs";

export const cli = join(repository, "packages/cli/bin/tenon.js");

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src"],
};

const subjects = join(import.meta.dirname, "../subjects");
const EXTRA_TOOLS_PER_FILE = 50;

/**
 * A project folder as `tenon create` lays it out, without sources.
 *
 * @param {string} root @param {string} packages the folder whose `node_modules` it uses
 */
export function writeProject(root, packages) {
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "name": "bench", "version": "1.0.0", "type": "module" }\n');
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify(TSCONFIG, null, 2));
  symlinkSync(join(packages, "node_modules"), join(root, "node_modules"), "dir");
}

/**
 * Writes and builds the server that is measured.
 *
 * @param {string} root @param {string} packages @param {number} extra how many tools there are besides the three
 */
export async function buildTenonServer(root, packages, extra) {
  writeProject(root, packages);
  copySubject(root);
  for (let first = 0; first < extra; first += EXTRA_TOOLS_PER_FILE) {
    const count = Math.min(EXTRA_TOOLS_PER_FILE, extra - first);
    writeFileSync(join(root, "src", `extra-${first}.ts`), extraSource(first, count));
  }
  await run(process.execPath, [cli, "build", root], root);
}

/**
 * Writes and builds the server with three tools that checks no results.
 *
 * @param {string} root @param {string} packages
 */
export async function buildUncheckedServer(root, packages) {
  writeProject(root, packages);
  copySubject(root);
  writeFileSync(
    join(root, "src/server.ts"),
    'import { defineServer } from "@tenon/runtime";\nexport default defineServer({ outputChecks: "off" });\n',
  );
  await run(process.execPath, [cli, "build", root], root);
}

/** Writes and builds the server whose protections can be switched on. @param {string} root @param {string} packages */
export async function buildProtectedServer(root, packages) {
  writeProject(root, packages);
  copySubject(root);
  copyFileSync(join(subjects, "protected.ts"), join(root, "src/protected.ts"));
  copyFileSync(join(subjects, "protected-server.ts"), join(root, "src/server.ts"));
  await run(process.execPath, [cli, "build", root], root);
}

/** Writes and builds the server that can be started with workers. @param {string} root @param {string} packages */
export async function buildWorkersServer(root, packages) {
  writeProject(root, packages);
  copySubject(root);
  copyFileSync(join(subjects, "compute.ts"), join(root, "src/compute.ts"));
  copyFileSync(join(subjects, "workers-server.ts"), join(root, "src/server.ts"));
  await run(process.execPath, [cli, "build", root], root);
}

/** Writes and builds the server whose processes share a store. @param {string} root @param {string} packages */
export async function buildSharedServer(root, packages) {
  writeProject(root, packages);
  copyFileSync(join(subjects, "shared.ts"), join(root, "src/shared.ts"));
  copyFileSync(join(subjects, "shared-server.ts"), join(root, "src/server.ts"));
  await run(process.execPath, [cli, "build", root], root);
}

/** @param {string} root */
function copySubject(root) {
  copyFileSync(join(subjects, "tenon.ts"), join(root, "src/bench.ts"));
  for (const name of ["workload.mjs", "workload.d.mts"])
    copyFileSync(join(subjects, name), join(root, "src", name));
}

/** Writes and builds the server that has subscribers. @param {string} root @param {string} packages */
export async function buildNewsServer(root, packages) {
  writeProject(root, packages);
  copyFileSync(join(subjects, "tenon-news.ts"), join(root, "src/news.ts"));
  await run(process.execPath, [cli, "build", root], root);
}

/** @param {number} first @param {number} count */
function extraSource(first, count) {
  const methods = Array.from({ length: count }, (_, offset) => extraMethod(first + offset));
  return `import { Tool } from "@tenon/runtime";
import { extra } from "./workload.mjs";

export class Extra${first} {
${methods.join("\n")}}
`;
}

/** @param {number} index */
function extraMethod(index) {
  return `  /**
   * ${extraDescription(index)}
   * @param query What to look for
   */
  @Tool()
  ${extraName(index)}(
    query: string,
    /** Most entries to return @integer @minimum 1 @maximum 100 */ limit?: number,
    /** Which entries come first */ order_${index}?: "newest" | "oldest",
  ): string {
    return extra(query, limit);
  }
`;
}
