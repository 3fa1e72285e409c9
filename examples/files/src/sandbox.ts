import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolError } from "@tenon/runtime";
import { hold } from "./hold.js";

/** Some directories and everything below them that no symbolic link leads out of. */
export class Sandbox {
  private constructor(
    /** As they were given, and where they really are. */
    readonly directories: readonly string[],
    private readonly real: readonly string[],
  ) {}

  /** @param given paths of directories; what is none is left out */
  static async of(given: readonly string[]): Promise<Sandbox> {
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

  /** Whether a path, after all links are followed, is one of these directories or lies in one. */
  async contains(path: string): Promise<boolean> {
    return this.resolve(path).then(
      () => true,
      () => false,
    );
  }

  /**
   * Where a path leads once `..` and symbolic links are followed; what does not exist yet, where it would be.
   *
   * @throws ToolError when that is outside
   */
  async resolve(path: string): Promise<string> {
    const absolute = this.#absolute(path);
    if (!isInside(absolute, this.directories)) throw this.#outside(path);
    const real = await realPath(absolute);
    if (!isInside(real, this.real)) throw this.#outside(path);
    return real;
  }

  /**
   * Works with a file or directory that exists.
   *
   * @param work gets a path that leads to it and to nothing else, and its real path, to be shown
   */
  async open<T>(path: string, work: (at: string, real: string) => Promise<T>): Promise<T> {
    const real = await this.resolve(path);
    const held = await hold(real);
    try {
      if (!isInside(held.real, this.real)) throw this.#outside(path);
      return await work(held.path, real);
    } finally {
      await held.close();
    }
  }

  /** Works with a file or directory that may not exist yet, in a directory that does. */
  async enter<T>(path: string, work: (at: string, real: string) => Promise<T>): Promise<T> {
    const real = await this.resolve(path);
    if (this.real.includes(real)) throw new ToolError(`${path} is one of the allowed directories itself.`);
    return this.open(dirname(real), (at) => work(join(at, basename(real)), real));
  }

  /** Works with what is at a path itself: with a link, and not with what it leads to. */
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
      throw new ToolError(`${path} is a path of Windows, and this server does not run there.`);
    }
    if (isAbsolute(expanded)) return resolve(expanded);
    const candidates = this.directories.map((directory) => resolve(directory, expanded));
    return candidates.find((candidate) => isInside(candidate, this.directories)) ?? resolve(sep);
  }

  #outside(path: string): ToolError {
    return new ToolError(
      `Access denied: ${path} is outside of the allowed directories (${this.directories.join(", ")}).`,
    );
  }
}

/** Not by how the path begins: `/database` begins with `/data`. */
function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    const way = relative(directory, path);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
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
  const written = await namesLike(folder, name);
  if (written.length > 1) throw new ToolError(`Several names in ${folder} look like ${name}.`);
  // A link that leads nowhere has a name, and is no place for a new file.
  return written[0] === undefined ? join(folder, name) : realpath(join(folder, written[0]));
}

/** The same letters can be written in several ways: `é` is one character, or `e` and an accent. */
async function namesLike(folder: string, name: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(name)) return [name];
  return names.filter((each) => each.normalize("NFC") === name.normalize("NFC"));
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
