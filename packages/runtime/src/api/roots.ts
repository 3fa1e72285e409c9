/**
 * Paths and the roots of a client.
 * @module
 */
import type { Root } from "../protocol/specification.js";

/** Maximum number of symbolic links followed in one path. Operating systems give up sooner. */
const MAX_LINKS = 64;

/**
 * Returns the real path of a file or folder if it is inside one of the roots. All symbolic links and `..` are
 * resolved, in the roots as well. The path does not have to exist. Open the path that this function returns, not the
 * original path, which could become a link in the meantime.
 *
 * @param path a path, relative to the working directory unless absolute, or a `file:` URL
 * @param roots result of `Context.roots`; roots without a `file:` URI are ignored
 * @returns the path without links and `..`, or `undefined` if it is outside all roots
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots#security-considerations
 * @example
 * const file = await resolveInRoots(path, await ctx.roots());
 * if (file === undefined) throw new ToolError(`${path} is outside the folders that you share.`);
 * return readFile(file, "utf8");
 */
export async function resolveInRoots(
  path: string | URL,
  roots: readonly Root[],
): Promise<string | undefined> {
  const real = await resolveRealPath(toLocalPath(path));
  if (real === undefined) return undefined;
  const folders = await Promise.all(
    roots.map(({ uri }) => resolveRealPath(uri.startsWith("file:") ? toLocalPath(uri) : undefined)),
  );
  return folders.some((folder) => folder !== undefined && isInside(real, folder)) ? real : undefined;
}

/** Returns the local path of a path or `file:` URL, or `undefined` if the URL is not a path on this machine. */
function toLocalPath(given: string | URL): string | undefined {
  if (typeof given === "string" && !given.startsWith("file:")) return given;
  try {
    return process.getBuiltinModule("node:url").fileURLToPath(given);
  } catch {
    return undefined;
  }
}

/**
 * Resolves a path as the operating system does: name by name, with `..` relative to the target of a link.
 *
 * @returns `undefined` for a path that the system would not open, such as one with circular links
 */
async function resolveRealPath(path: string | undefined): Promise<string | undefined> {
  if (path === undefined || path.includes("\0")) return undefined;
  const { isAbsolute, join, parse, sep } = process.getBuiltinModule("node:path");
  const { readlink } = process.getBuiltinModule("node:fs/promises");
  const absolute = isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
  let links = 0;
  let real = parse(absolute).root;
  const names = splitPath(absolute);
  while (names.length > 0) {
    const next = join(real, names.shift() ?? "");
    let target: string | undefined;
    try {
      target = await readlink(next);
    } catch (error) {
      // EINVAL: not a link. ENOENT: does not exist yet. Any other path might lead outside.
      if (!["EINVAL", "ENOENT", "UNKNOWN"].includes((error as NodeJS.ErrnoException).code ?? ""))
        return undefined;
    }
    if (target === undefined) {
      real = next;
      continue;
    }
    if (++links > MAX_LINKS) return undefined;
    if (isAbsolute(target)) real = parse(target).root;
    names.unshift(...splitPath(target));
  }
  return real;
}

/** Returns the segments of a path, without its root. */
function splitPath(path: string): string[] {
  const { parse, sep } = process.getBuiltinModule("node:path");
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(sep === "\\" ? /[\\/]/ : "/")
    .filter((name) => name !== "" && name !== ".");
}

function isInside(path: string, folder: string): boolean {
  const { isAbsolute, relative, sep } = process.getBuiltinModule("node:path");
  const route = relative(folder, path);
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}
