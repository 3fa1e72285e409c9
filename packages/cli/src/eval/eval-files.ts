import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Failure } from "../terminal/failure.js";

const EVALS = /\.evals\.[cm]?[jt]s$/;

/** Folders that are not searched, in addition to those whose names begin with a dot. */
const OMITTED: ReadonlySet<string> = new Set(["node_modules", "dist"]);

/**
 * Finds the files with evals.
 *
 * @param root the project folder, absolute
 * @param named the files to use, absolute or relative to `cwd`. Default: all in the project whose names end in `.evals.ts`
 * @returns the paths relative to the project folder
 * @throws Failure if there are none
 */
export function findEvalFiles(root: string, named: readonly string[], cwd: string): string[] {
  for (const file of named)
    if (!existsSync(resolve(cwd, file))) throw new Failure(`${file} does not exist.`, { exitCode: 2 });
  const files =
    named.length > 0
      ? named.map((file) => toSlashes(relative(root, resolve(cwd, file))))
      : listEvalFiles(root, "");
  if (files.length > 0) return files;
  throw new Failure("The project has no file with evals.", {
    hint:
      "Write test/tools.evals.ts: " +
      'import { defineEvals } from "@tenon/cli/testing"; export default defineEvals({ cases: [{ prompt: "…", tool: "…" }] });',
  });
}

function listEvalFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return EVALS.test(entry.name) ? [path] : [];
      return OMITTED.has(entry.name) || entry.name.startsWith(".") ? [] : listEvalFiles(root, path);
    });
}

function toSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}
