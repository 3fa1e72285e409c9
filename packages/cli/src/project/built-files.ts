import { existsSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { writeFileTree, type FileTree } from "@tenon/compiler";

/** Lists what a build wrote, so that the next one can take away what it does not write again. */
const LIST = ".tenon-files.json";

/**
 * Writes a build and removes the files of the previous one that are not part of it. Files that no build has
 * listed are never touched.
 *
 * @param outDir absolute
 * @returns the paths that were written because they are new or differ, relative to `outDir`
 */
export function writeBuild(files: FileTree, outDir: string): string[] {
  const previous = readList(outDir);
  const list = `${JSON.stringify({ files: [...files.keys()] }, null, 2)}\n`;
  const written = writeFileTree(new Map([...files, [LIST, list]]), outDir);
  for (const path of previous) if (!files.has(path)) removeInside(path, outDir);
  return written.filter((path) => path !== LIST);
}

/**
 * The files in the place of which a build would be written, and that no build before has.
 *
 * @returns their paths, relative to `outDir`
 */
export function foreignFiles(files: FileTree, outDir: string): string[] {
  const ours = new Set(readList(outDir));
  return [...files].flatMap(([path, content]) => {
    const target = join(outDir, path);
    if (ours.has(path) || !existsSync(target)) return [];
    const isSame = statSync(target).isFile() && readFileSync(target).equals(Buffer.from(content));
    return isSame ? [] : [path];
  });
}

function readList(outDir: string): string[] {
  try {
    const { files } = JSON.parse(readFileSync(join(outDir, LIST), "utf8")) as { files?: unknown };
    return Array.isArray(files) ? files.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** A list may have been edited and a folder replaced by a link, so nothing is removed on its word alone. */
function removeInside(path: string, outDir: string): void {
  const inside = normalize(path);
  if (isAbsolute(inside) || inside === "." || inside === ".." || inside.startsWith(`..${sep}`)) return;
  const target = join(outDir, inside);
  try {
    const home = realpathSync(outDir);
    const parent = realpathSync(dirname(target));
    if (parent !== home && !parent.startsWith(home + sep)) return;
    rmSync(target);
  } catch {
    // Gone already, or a folder by now: either way not a file of ours.
  }
}
