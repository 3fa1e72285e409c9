import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolError } from "@tenon/runtime";
import { openEntry } from "./open-entry.js";

/** Directories and everything in them, except paths that symbolic links lead outside. */
export class Sandbox {
  private constructor(
    /** The directories as configured, and their real paths. */
    readonly directories: readonly string[],
    private readonly real: readonly string[],
  ) {}

  /**
   * Creates a sandbox.
   *
   * @param given paths of directories; other paths are ignored
   */
  static async create(given: readonly string[]): Promise<Sandbox> {
    const found = await Promise.all(
      given.map(async (path) => {
        const absolute = resolve(expandHome(path));
        const real = await realpath(absolute).catch(() => undefined);
        return real !== undefined && (await stat(real)).isDirectory() ? [{ absolute, real }] : [];
      }),
    );
    const pairs = found.flat();
    const both = pairs.flatMap(({ absolute, real }) => [absolute, real]);
    return new Sandbox([...new Set(both)], [...new Set(pairs.map(({ real }) => real))]);
  }

  /** Returns whether a path, after all links are followed, is one of these directories or lies in one. */
  async contains(path: string): Promise<boolean> {
    return this.resolve(path).then(
      () => true,
      () => false,
    );
  }

  /**
   * Returns the real path after `..` and symbolic links are followed. The file does not have to exist.
   *
   * @throws ToolError if the real path is outside
   */
  async resolve(path: string): Promise<string> {
    const absolute = this.#absolute(path);
    if (!isInside(absolute, this.directories)) throw this.#outside(path);
    const real = await realPath(absolute);
    if (!isInside(real, this.real)) throw this.#outside(path);
    return real;
  }

  /**
   * Works with an existing file or directory.
   *
   * @param work receives a path that leads only to this file, and its real path for messages
   */
  async open<T>(path: string, work: (at: string, real: string) => Promise<T>): Promise<T> {
    const real = await this.resolve(path);
    const entry = await openEntry(real);
    try {
      if (!isInside(entry.real, this.real)) throw this.#outside(path);
      return await work(entry.path, real);
    } finally {
      await entry.close();
    }
  }

  /** Works with a file or directory that may not exist yet, in an existing directory. */
  async enter<T>(path: string, work: (at: string, real: string) => Promise<T>): Promise<T> {
    const real = await this.resolve(path);
    if (this.real.includes(real)) throw new ToolError(`${path} is one of the allowed directories itself.`);
    return this.open(dirname(real), (at) => work(join(at, basename(real)), real));
  }

  /** Works with the entry at a path: with a link itself, not with its target. */
  async entry<T>(path: string, work: (at: string) => Promise<T>): Promise<T> {
    const real = await this.resolve(path);
    const absolute = this.#absolute(path);
    if (!(await lstat(absolute)).isSymbolicLink()) return this.enter(real, work);
    return this.open(dirname(absolute), (at) => work(join(at, basename(absolute))));
  }

  #absolute(path: string): string {
    const expanded = expandHome(path);
    if (expanded.includes("\0")) throw new ToolError("A path cannot contain a NUL character.");
    if (sep === "/" && /^[A-Za-z]:([\\/]|$)/.test(expanded)) {
      throw new ToolError(`${path} is a Windows path, but this server does not run on Windows.`);
    }
    if (isAbsolute(expanded)) return resolve(expanded);
    const candidates = this.directories.map((directory) => resolve(directory, expanded));
    return candidates.find((candidate) => isInside(candidate, this.directories)) ?? resolve(sep);
  }

  #outside(path: string): ToolError {
    return new ToolError(
      `Access denied: ${path} is outside the allowed directories (${this.directories.join(", ")}).`,
    );
  }
}

/** Compares whole segments, since `/database` begins with `/data`. */
function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    const inner = relative(directory, path);
    return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  });
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const folder = await realPath(dirname(path));
  const name = basename(path);
  const found = await findEqualNames(folder, name);
  if (found.length > 1) throw new ToolError(`Several names in ${folder} look like ${name}.`);
  // A broken link exists, so a new file must not replace it.
  return found[0] === undefined ? join(folder, name) : realpath(join(folder, found[0]));
}

/** Finds names with the same characters in any Unicode normalization: `é` is one code point, or `e` and an accent. */
async function findEqualNames(folder: string, name: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(name)) return [name];
  return names.filter((each) => each.normalize("NFC") === name.normalize("NFC"));
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
