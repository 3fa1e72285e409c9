import { posix } from "node:path";
import { ts } from "../typescript/typescript.js";
import type { CheckedFiles } from "./checked-files.js";

/**
 * Returns the files that have changed since TypeScript read them, without installed packages and Tenon's own files.
 *
 * @returns paths relative to the project folder
 */
export function findChangedFiles({ program, root }: Pick<CheckedFiles, "program" | "root">): string[] {
  return program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.startsWith(`${root}/.tenon/`) && !fileName.includes("/node_modules/"))
    .filter(({ fileName, text }) => ts.sys.readFile(fileName) !== text)
    .map(({ fileName }) => posix.relative(root, fileName));
}
