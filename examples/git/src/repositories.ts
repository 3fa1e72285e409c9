import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ToolError } from "@tenon/runtime";
import { runGit } from "./run-git.js";

/** The repositories that may be used: those in some folders, wherever links and `..` lead. */
export class Repositories {
  /** @param folders each is a repository, or has some in it */
  constructor(private readonly folders: readonly string[]) {}

  /**
   * @param path the repository, or a folder in it; the first folder, when left out
   * @returns its top folder
   * @throws ToolError when there is none, or it is not in one of the folders
   */
  async open(path: string = this.folders[0] ?? "."): Promise<string> {
    const folder = await realpath(resolve(path)).catch(() => undefined);
    if (folder === undefined || !(await this.#contains(folder))) throw this.#outside(path);
    // Git looks further up where there is no repository, and one can say that its files or its history are elsewhere.
    const answer = await runGit(folder, [
      "rev-parse",
      "--show-toplevel",
      "--absolute-git-dir",
      "--git-common-dir",
    ]);
    const [top = "", ...others] = answer.trimEnd().split("\n");
    for (const each of [top, ...others]) {
      if (!(await this.#contains(await realpath(resolve(folder, each))))) throw this.#outside(path);
    }
    return top;
  }

  async #contains(real: string): Promise<boolean> {
    const folders = await Promise.all(this.folders.map((each) => realpath(each).catch(() => undefined)));
    return folders.some((folder) => {
      if (folder === undefined) return false;
      const way = relative(folder, real);
      return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
    });
  }

  #outside(path: string): ToolError {
    return new ToolError(`${path} is no repository in ${this.folders.join(" or ")}.`);
  }
}

/**
 * @param revision what a caller has sent: the name of a branch, a hash, `HEAD~2`, …
 * @returns its hash, which cannot be taken for an option
 * @throws ToolError when there is no such commit
 */
export async function commitOf(repository: string, revision: string): Promise<string> {
  const verify = ["rev-parse", "--quiet", "--verify", "--end-of-options", `${revision}^{commit}`];
  const hash = await runGit(repository, verify).catch(() => "");
  if (hash === "") throw new ToolError(`There is no commit ${revision}.`);
  return hash.trimEnd();
}
