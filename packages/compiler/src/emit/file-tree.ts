import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { replaceFile } from "./replace-file.js";

/** Contents by path relative to the output folder, with forward slashes. */
export type FileTree = Map<string, string | Uint8Array>;

/**
 * Writes the files whose content has changed, only inside `folder`. It writes all of them to temporary files and then
 * renames these, so that a full disk changes nothing. Links and permissions are kept. A device or a pipe, such as `/dev/null`, is
 * written to and not replaced.
 *
 * @returns the paths of the written files
 * @throws Error if a path is outside the folder, or a file cannot be written, without changing any file. If a rename fails,
 *   for example because another program has the file open on Windows, the files before it have already been replaced.
 */
export function writeFileTree(tree: FileTree, folder: string): string[] {
  for (const path of tree.keys()) {
    const inside = normalize(path);
    if (isAbsolute(path) || inside === ".." || inside.startsWith(`..${sep}`)) {
      throw new Error(`Cannot write ${path}: it is outside ${folder}.`);
    }
  }
  const changed = [...tree].filter(([path, content]) => !hasContent(join(folder, path), content));
  const drafts: Draft[] = [];
  try {
    for (const [path, content] of changed) drafts.push(...writeDraft(join(folder, path), content));
    for (const { draft, target } of drafts) replaceFile(draft, target);
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw error;
  }
  return changed.map(([path]) => path);
}

/** A temporary file and the file that it replaces. */
interface Draft {
  draft: string;
  target: string;
}

function writeDraft(path: string, content: string | Uint8Array): Draft[] {
  mkdirSync(dirname(path), { recursive: true });
  const existing = statSync(path, { throwIfNoEntry: false });
  const isReplaceable = existing === undefined || existing.isFile();
  const target = existing && isReplaceable ? realpathSync(path) : path;
  const draft = `${target}.tenon-${process.pid}`;
  try {
    // A folder cannot be replaced by a file: writing to it fails now, before any file is replaced.
    writeFileSync(isReplaceable ? draft : target, content);
    if (!isReplaceable) return [];
    if (existing) chmodSync(draft, existing.mode);
  } catch (error) {
    rmSync(draft, { force: true });
    // Write errors lack the path.
    throw Object.assign(error as Error, { path: target });
  }
  return [{ draft, target }];
}

function hasContent(target: string, content: string | Uint8Array): boolean {
  try {
    // Reading from a pipe would wait forever.
    if (!statSync(target).isFile()) return false;
    return readFileSync(target).equals(typeof content === "string" ? Buffer.from(content) : content);
  } catch {
    return false;
  }
}
