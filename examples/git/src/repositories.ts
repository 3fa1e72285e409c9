import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ToolError } from "@tenon/runtime";
import { runGit } from "./run-git.js";

/** The repositories in configured folders, after links and `..` are followed. */
export class Repositories {
  /** @param folders repositories, or folders that contain some */
  constructor(private readonly folders: readonly string[]) {}

  /**
   * Finds a repository.
   *
   * @param path the repository, or a folder in it (default: the first configured folder)
   * @returns its top folder
   * @throws ToolError if there is no repository, or it is outside the configured folders
   */
  async open(path: string = this.folders[0] ?? "."): Promise<string> {
    const folder = await realpath(resolve(path)).catch(() => undefined);
    if (folder === undefined || !(await this.#contains(folder))) throw this.#outside(path);
    // Git also searches parent folders, and a repository can have its files or history in other folders.
    const output = await runGit(folder, [
      "rev-parse",
      "--show-toplevel",
      "--absolute-git-dir",
      "--git-common-dir",
    ]);
    const [top = "", ...others] = output.trimEnd().split("\n");
    for (const each of [top, ...others]) {
      if (!(await this.#contains(await realpath(resolve(folder, each))))) throw this.#outside(path);
    }
    return top;
  }

  async #contains(real: string): Promise<boolean> {
    const folders = await Promise.all(this.folders.map((each) => realpath(each).catch(() => undefined)));
    return folders.some((folder) => {
      if (folder === undefined) return false;
      const inner = relative(folder, real);
      return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
    });
  }

  #outside(path: string): ToolError {
    return new ToolError(`${path} is not a repository in ${this.folders.join(" or ")}.`);
  }
}

/**
 * Finds the commit of a revision.
 *
 * @param revision input of a caller: the name of a branch, a hash, `HEAD~2`, …
 * @returns its hash, which cannot be mistaken for an option
 * @throws ToolError if there is no such commit
 */
export async function findCommit(repository: string, revision: string): Promise<string> {
  const verify = ["rev-parse", "--quiet", "--verify", "--end-of-options", `${revision}^{commit}`];
  const hash = await runGit(repository, verify).catch(() => "");
  if (hash === "") throw new ToolError(`There is no commit ${revision}.`);
  return hash.trimEnd();
}
