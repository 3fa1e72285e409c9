import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import mime from "mime/lite";

/** A part of a result that is no text. */
export interface BytesBlock {
  /** Base64, as it travels. */
  readonly data: string;
  readonly mimeType?: string | undefined;
}

/**
 * Writes what of a result is no text: one part to the file of that path, several into the folder. Files in a folder get
 * names of their own; none is replaced.
 *
 * @param path as the person wrote it; one that ends in a slash is a folder
 * @param name what files in a folder are named for
 * @returns where each was written, relative to `cwd`, by its base64
 */
export function saveBytes(
  blocks: readonly BytesBlock[],
  { path, cwd, name }: { path: string; cwd: string; name: string },
): ReadonlyMap<string, string> {
  const place = resolve(cwd, path);
  const isFolder =
    blocks.length > 1 || /[/\\]$/.test(path) || statSync(place, { throwIfNoEntry: false })?.isDirectory();
  const saved = blocks.map((block): [string, string] => {
    const file = isFolder ? freshIn(place, name, extensionOf(block)) : place;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(block.data, "base64"));
    return [block.data, relative(cwd, file)];
  });
  return new Map(saved);
}

function freshIn(folder: string, name: string, extension: string): string {
  // A server chooses names, and no folder but this one is written to.
  const safe = name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "result";
  for (let number = 1; ; number++) {
    const file = join(folder, `${safe}-${number}.${extension}`);
    if (!existsSync(file)) return file;
  }
}

function extensionOf({ mimeType = "" }: BytesBlock): string {
  return mime.getExtension(mimeType) || "bin";
}
