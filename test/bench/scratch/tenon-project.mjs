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
 * Writes a project folder with the layout of `tenon create`, without sources.
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
 * @param {string} root @param {string} packages @param {number} extra how many tools there are in addition to the three
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
 * A server that is measured in addition to the one with three tools, whose tools it also has unless specified: files of
 * `subjects/` and their names in the project. It is built where the part of the benchmark that uses it runs.
 *
 * @typedef {{ files: Record<string, string>, part?: string, isWithoutTools?: true }} Subject
 * @type {Record<string, Subject>}
 */
export const SUBJECTS = {
  /** Does not validate results. */
  unchecked: { files: { "unchecked-server.ts": "server.ts" } },
  /** Its protections can be switched on. */
  protected: {
    files: { "protected.ts": "protected.ts", "protected-server.ts": "server.ts" },
    part: "protections",
  },
  /** Has tools that fail, return invalid results, and print. */
  probes: { files: { "tenon-probes.ts": "probes.ts" }, part: "answers" },
  /** Can be started with workers. */
  workers: { files: { "compute.ts": "compute.ts", "workers-server.ts": "server.ts" }, part: "workers" },
  /** Its processes share a store. */
  shared: {
    files: { "shared.ts": "shared.ts", "shared-server.ts": "server.ts" },
    part: "scale",
    isWithoutTools: true,
  },
  /** Has subscribers. */
  news: { files: { "tenon-news.ts": "news.ts" }, part: "subscribers", isWithoutTools: true },
};

/**
 * Writes and builds one of the other servers that are measured.
 *
 * @param {Subject} subject one of `SUBJECTS` @param {string} root @param {string} packages
 */
export async function buildSubject({ files, isWithoutTools }, root, packages) {
  writeProject(root, packages);
  if (!isWithoutTools) copySubject(root);
  for (const [from, to] of Object.entries(files)) copyFileSync(join(subjects, from), join(root, "src", to));
  await run(process.execPath, [cli, "build", root], root);
}

/** @param {string} root */
function copySubject(root) {
  copyFileSync(join(subjects, "tenon.ts"), join(root, "src/bench.ts"));
  for (const name of ["workload.mjs", "workload.d.mts"])
    copyFileSync(join(subjects, name), join(root, "src", name));
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
    /** Maximum number of entries @integer @minimum 1 @maximum 100 */ limit?: number,
    /** The order of the entries */ order_${index}?: "newest" | "oldest",
  ): string {
    return extra(query, limit);
  }
`;
}
