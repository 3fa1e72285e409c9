/**
 * Paths and the roots of a client.
 * @module
 */
import type { Root } from "../protocol/specification.js";

/** Links that lead to links are followed at most so often; a system gives up sooner. */
const MOST_LINKS = 64;

/**
 * The file or folder that a path really leads to, if it lies inside one of the roots: all symbolic links and `..` are
 * resolved, in the roots as well, and what does not exist yet is taken for what it would be. Open what this returns and
 * not the path itself, which somebody could make a link in the meantime.
 *
 * @param path a path, relative to the working directory unless absolute, or a `file:` URL
 * @param roots what `Context.roots` returns; those that are no files count for nothing
 * @returns the path without links and `..`, or `undefined` when it lies in none of the roots
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots#security-considerations
 * @example
 * const file = await resolveInRoots(path, await ctx.roots());
 * if (file === undefined) throw new ToolError(`${path} is outside of the folders that you share.`);
 * return readFile(file, "utf8");
 */
export async function resolveInRoots(
  path: string | URL,
  roots: readonly Root[],
): Promise<string | undefined> {
  const real = await realPath(localPath(path));
  if (real === undefined) return undefined;
  const folders = await Promise.all(
    roots.map(({ uri }) => realPath(uri.startsWith("file:") ? localPath(uri) : undefined)),
  );
  return folders.some((folder) => folder !== undefined && isInside(real, folder)) ? real : undefined;
}

/** `undefined` for a URL that stands for no path of this machine. */
function localPath(given: string | URL): string | undefined {
  if (typeof given === "string" && !given.startsWith("file:")) return given;
  try {
    return process.getBuiltinModule("node:url").fileURLToPath(given);
  } catch {
    return undefined;
  }
}

/**
 * Follows a path as the system does when it opens it: one name after the other, `..` from where a link leads to.
 *
 * @returns `undefined` for what the system would not open, such as links in a circle
 */
async function realPath(path: string | undefined): Promise<string | undefined> {
  if (path === undefined || path.includes("\0")) return undefined;
  const { isAbsolute, join, parse, sep } = process.getBuiltinModule("node:path");
  const { readlink } = process.getBuiltinModule("node:fs/promises");
  const whole = isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
  let links = 0;
  let real = parse(whole).root;
  const names = namesIn(whole);
  while (names.length > 0) {
    const next = join(real, names.shift() ?? "");
    let target: string | undefined;
    try {
      target = await readlink(next);
    } catch (error) {
      // Not a link, or nothing yet. What cannot be looked at cannot be vouched for.
      if (!["EINVAL", "ENOENT", "UNKNOWN"].includes((error as NodeJS.ErrnoException).code ?? ""))
        return undefined;
    }
    if (target === undefined) {
      real = next;
      continue;
    }
    if (++links > MOST_LINKS) return undefined;
    if (isAbsolute(target)) real = parse(target).root;
    names.unshift(...namesIn(target));
  }
  return real;
}

/** The names on the way from the root of a path, or from where it begins. */
function namesIn(path: string): string[] {
  const { parse, sep } = process.getBuiltinModule("node:path");
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(sep === "\\" ? /[\\/]/ : "/")
    .filter((name) => name !== "" && name !== ".");
}

function isInside(path: string, folder: string): boolean {
  const { isAbsolute, relative, sep } = process.getBuiltinModule("node:path");
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
