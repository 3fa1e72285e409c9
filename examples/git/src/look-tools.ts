import { Tool, type Context } from "@tenon/runtime";
import { readLog, type Commit } from "./history.js";
import { commitOf, type Repositories } from "./repositories.js";
import { runGit } from "./run-git.js";
import { readStatus, type Status } from "./status.js";

/** Names of branches and commits. What begins with a dash would be an option. @pattern ^[^-] @maxLength 250 */
export type Revision = string;

export interface InRepository {
  /** The repository; the one that the server was started for, when left out */
  repo_path?: string;
}

export interface DiffOptions extends InRepository {
  /** Lines around each change @integer @minimum 0 @maximum 1000 */
  context_lines?: number;
}

export interface LogOptions extends InRepository {
  /** At most so many commits @integer @minimum 1 @maximum 1000 */
  max_count?: number;
  /** Only those since then */
  start_timestamp?: Date;
  /** Only those until then */
  end_timestamp?: Date;
}

export interface BranchOptions extends InRepository {
  /** Those of this repository, those of others that it knows of, or all */
  branch_type?: "local" | "remote" | "all";
  /** Only those that have this commit */
  contains?: Revision;
  /** Only those that do not have this commit */
  not_contains?: Revision;
}

export interface Branch {
  name: string;
  hash: string;
  isCurrent: boolean;
}

const REFS = { local: ["refs/heads"], remote: ["refs/remotes"], all: ["refs/heads", "refs/remotes"] };

/** Programs that a repository's configuration names for showing files are not run. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"];

/** What looks at a repository and changes nothing. */
export class LookTools {
  constructor(private readonly repositories: Repositories) {}

  /** Shows which files have changed, and what the next commit is to hold. */
  @Tool({ name: "git_status", readOnly: true, openWorld: false })
  async status({ repo_path }: InRepository): Promise<Status> {
    const repository = await this.repositories.open(repo_path);
    return readStatus(
      await runGit(repository, ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"]),
    );
  }

  /** Shows changes that the next commit does not hold yet. */
  @Tool({ name: "git_diff_unstaged", readOnly: true, openWorld: false })
  async diffUnstaged({ repo_path, context_lines = 3 }: DiffOptions): Promise<string> {
    return this.#diff(repo_path, context_lines, []);
  }

  /** Shows what the next commit changes. */
  @Tool({ name: "git_diff_staged", readOnly: true, openWorld: false })
  async diffStaged({ repo_path, context_lines = 3 }: DiffOptions): Promise<string> {
    return this.#diff(repo_path, context_lines, ["--cached"]);
  }

  /** Shows how files differ from a commit, or two commits from each other (`main..topic`, `main...topic`). */
  @Tool({ name: "git_diff", readOnly: true, openWorld: false })
  async diff({ repo_path, target, context_lines = 3 }: DiffOptions & { target: Revision }): Promise<string> {
    const repository = await this.repositories.open(repo_path);
    const [, from, dots, to] = /^(.+?)(\.{2,3})(.+)$/.exec(target) ?? [];
    const commits =
      from !== undefined && to !== undefined
        ? `${await commitOf(repository, from)}${dots}${await commitOf(repository, to)}`
        : await commitOf(repository, target);
    return this.#diff(repository, context_lines, [commits]);
  }

  /** Lists commits, the newest first. */
  @Tool({ name: "git_log", readOnly: true, openWorld: false })
  async log(
    { repo_path, max_count = 10, start_timestamp, end_timestamp }: LogOptions,
    { signal }: Context,
  ): Promise<Commit[]> {
    const repository = await this.repositories.open(repo_path);
    const args = [`--max-count=${max_count}`];
    if (start_timestamp) args.push(`--since=${start_timestamp.toISOString()}`);
    if (end_timestamp) args.push(`--until=${end_timestamp.toISOString()}`);
    return readLog(repository, args, signal);
  }

  /** Shows a commit, with what it changed. */
  @Tool({ name: "git_show", readOnly: true, openWorld: false })
  async show({ repo_path, revision }: InRepository & { revision: Revision }): Promise<string> {
    const repository = await this.repositories.open(repo_path);
    return runGit(repository, ["show", ...PLAIN, await commitOf(repository, revision), "--"]);
  }

  /** Lists branches. */
  @Tool({ name: "git_branch", readOnly: true, openWorld: false })
  async branches({
    repo_path,
    branch_type = "local",
    contains,
    not_contains,
  }: BranchOptions): Promise<Branch[]> {
    const repository = await this.repositories.open(repo_path);
    const args = ["for-each-ref", "--format=%(refname:short)%00%(objectname)%00%(HEAD)"];
    if (contains !== undefined) args.push(`--contains=${await commitOf(repository, contains)}`);
    if (not_contains !== undefined) args.push(`--no-contains=${await commitOf(repository, not_contains)}`);
    const text = await runGit(repository, [...args, ...REFS[branch_type]]);
    return text.split("\n").flatMap((line) => {
      const [name = "", hash = "", head] = line.split("\0");
      return name === "" ? [] : [{ name, hash, isCurrent: head === "*" }];
    });
  }

  async #diff(path: string | undefined, lines: number, args: readonly string[]): Promise<string> {
    const repository = await this.repositories.open(path);
    const text = await runGit(repository, ["diff", ...PLAIN, `--unified=${lines}`, ...args, "--"]);
    return text === "" ? "There is no difference." : text;
  }
}
