import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder in a project that Tenon writes to. */
export const OWN_FOLDER = ".tenon";

const GITIGNORE = ".gitignore";

/** Ignores all but the generated types, without which editors report errors in tests and views of a new clone. */
const IGNORED = "*\n!*.d.ts\n";

/**
 * Returns the `.gitignore` for Tenon's folder, for `writeFileTree`. It excludes everything but types from Git, even
 * if the project's own `.gitignore` does not. Returns nothing if the file exists, because authors who commit
 * recordings have edited it.
 *
 * @param root the project folder, absolute
 */
export function findIgnoreFile(root: string): [path: string, content: string][] {
  return existsSync(join(root, OWN_FOLDER, GITIGNORE)) ? [] : [[GITIGNORE, IGNORED]];
}
