import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import mime from "mime/lite";

/** Binary content of a result. */
export interface BytesBlock {
  /** The content as base64. */
  readonly data: string;
  readonly mimeType?: string | undefined;
}

/**
 * Saves binary content: one block to a file, several to a folder. Files in a folder receive unused names, so none is replaced.
 *
 * @param path the path on the command line; a trailing slash means a folder
 * @param name the base name of files in a folder
 * @returns the paths relative to `cwd`, by base64
 */
export function saveBytes(
  blocks: readonly BytesBlock[],
  { path, cwd, name }: { path: string; cwd: string; name: string },
): ReadonlyMap<string, string> {
  const target = resolve(cwd, path);
  const isFolder =
    blocks.length > 1 || /[/\\]$/.test(path) || statSync(target, { throwIfNoEntry: false })?.isDirectory();
  const saved = blocks.map((block): [string, string] => {
    const file = isFolder ? findUnusedPath(target, name, getExtension(block)) : target;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(block.data, "base64"));
    return [block.data, relative(cwd, file)];
  });
  return new Map(saved);
}

function findUnusedPath(folder: string, name: string, extension: string): string {
  // Servers choose names, which must not lead out of the folder.
  const safeName = name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "result";
  for (let number = 1; ; number++) {
    const file = join(folder, `${safeName}-${number}.${extension}`);
    if (!existsSync(file)) return file;
  }
}

function getExtension({ mimeType = "" }: BytesBlock): string {
  return mime.getExtension(mimeType) || "bin";
}
