import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";

/** Path relative to the output folder, with forward slashes → content. */
export type FileTree = Map<string, string | Uint8Array>;

/**
 * Writes the files that differ from what is on disk, inside `folder` only. They are put in place when all of them are
 * written, so that a full disk leaves everything as it was. Links and permissions stay.
 *
 * @returns the paths that were written
 * @throws Error when a path would leave the folder, or a file cannot be written; nothing has changed then. Where the system
 * refuses to put one in its place, as it does with a file that another program holds on Windows, those before it are new.
 */
export function writeFileTree(tree: FileTree, folder: string): string[] {
  for (const path of tree.keys()) {
    const inside = normalize(path);
    if (isAbsolute(path) || inside === ".." || inside.startsWith(`..${sep}`)) {
      throw new Error(`Refusing to write ${path}: it is outside ${folder}.`);
    }
  }
  const changed = [...tree].filter(([path, content]) => !isSame(join(folder, path), content));
  const drafts: Draft[] = [];
  try {
    for (const [path, content] of changed) drafts.push(writeDraft(join(folder, path), content));
    for (const { draft, target } of drafts) renameSync(draft, target);
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw error;
  }
  return changed.map(([path]) => path);
}

/** The text of a file beside it. */
interface Draft {
  draft: string;
  target: string;
}

function writeDraft(path: string, content: string | Uint8Array): Draft {
  mkdirSync(dirname(path), { recursive: true });
  const isThere = existsSync(path);
  const target = isThere ? realpathSync(path) : path;
  const draft = `${target}.tenon-${process.pid}`;
  const isFolder = isThere && statSync(target).isDirectory();
  try {
    // A folder takes no text and no file's place: the system refuses now what it would refuse when others are in place.
    writeFileSync(isFolder ? target : draft, content);
    if (isThere) chmodSync(draft, statSync(target).mode);
  } catch (error) {
    rmSync(draft, { force: true });
    // Of a write that failed, the system does not say where.
    throw Object.assign(error as Error, { path: target });
  }
  return { draft, target };
}

function isSame(target: string, content: string | Uint8Array): boolean {
  try {
    return readFileSync(target).equals(typeof content === "string" ? Buffer.from(content) : content);
  } catch {
    return false;
  }
}
