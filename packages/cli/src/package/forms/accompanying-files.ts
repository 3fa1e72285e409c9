import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

/** What goes along with a server: data it reads, for example. */
export interface AccompanyingFiles {
  /** By path, relative to the project folder. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** As package.json names them. */
  readonly entries: readonly string[];
  /** What could not be taken. */
  readonly notes: readonly string[];
}

/**
 * The files that package.json names under `files`, besides what is built. npm takes patterns there, too, which are
 * told of and left out.
 */
export function filesOf(root: string, named: readonly string[]): AccompanyingFiles {
  const files = new Map<string, Buffer>();
  const entries: string[] = [];
  const notes: string[] = [];
  for (const entry of named) {
    const path = normalize(entry)
      .replaceAll("\\", "/")
      .replace(/^\.?\//, "")
      .replace(/\/$/, "");
    if (
      path === "" ||
      path === "." ||
      path === "dist" ||
      path.startsWith("dist/") ||
      path.startsWith("!dist/")
    )
      continue;
    if (/[*?[\]{}!]/.test(path) || path.startsWith("..") || !existsSync(join(root, path))) {
      notes.push(
        `\`files\` of package.json names ${entry}, which is left out: name a file or a folder of the project.`,
      );
      continue;
    }
    entries.push(path);
    for (const file of filesIn(root, path)) files.set(file, readFileSync(join(root, file)));
  }
  return { files, entries, notes };
}

function filesIn(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path))
    .filter((name) => name !== "node_modules" && name !== ".git")
    .sort()
    .flatMap((name) => filesIn(root, `${path}/${name}`));
}
