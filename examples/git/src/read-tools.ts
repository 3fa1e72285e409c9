import { Tool, type Context } from "@tenon/runtime";
import { readLog, type Commit } from "./history.js";
import { findCommit, type Repositories } from "./repositories.js";
import { runGit } from "./run-git.js";
import { readStatus, type Status } from "./status.js";

/** A branch or commit. It cannot begin with a dash, which would make it an option. @pattern ^[^-] @maxLength 250 */
export type Revision = string;

export interface InRepository {
  /** The repository (default: the first configured one) */
  repo_path?: string;
}

export interface DiffOptions extends InRepository {
  /** Lines around each change @integer @minimum 0 @maximum 1000 */
  context_lines?: number;
}

export interface LogOptions extends InRepository {
  /** Maximum number of commits @integer @minimum 1 @maximum 1000 */
  max_count?: number;
  /** Lists only commits since this time */
  start_timestamp?: Date;
  /** Lists only commits until this time */
  end_timestamp?: Date;
}

export interface BranchOptions extends InRepository {
  /** Branches of this repository, of its remotes, or all */
  branch_type?: "local" | "remote" | "all";
  /** Lists only branches that contain this commit */
  contains?: Revision;
  /** Lists only branches that do not contain this commit */
  not_contains?: Revision;
}

export interface Branch {
  name: string;
  hash: string;
  isCurrent: boolean;
}

const REFS = { local: ["refs/heads"], remote: ["refs/remotes"], all: ["refs/heads", "refs/remotes"] };

/** Options that keep Git from running programs that a repository configures. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"];

/** Tools that read a repository and change nothing. */
export class ReadTools {
  constructor(private readonly repositories: Repositories) {}

  /** Shows changed files and the content of the next commit. */
  @Tool({ name: "git_status", title: "Show the state of the working tree", readOnly: true, openWorld: false })
  async status({ repo_path }: InRepository): Promise<Status> {
    const repository = await this.repositories.open(repo_path);
    return readStatus(
      await runGit(repository, ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"]),
    );
  }

  /** Shows changes that are not part of the next commit. */
  @Tool({
    name: "git_diff_unstaged",
    title: "Compare the working tree with the index",
    readOnly: true,
    openWorld: false,
  })
  async diffUnstaged({ repo_path, context_lines = 3 }: DiffOptions): Promise<string> {
    return this.#diff(repo_path, context_lines, []);
  }

  /** Shows the changes of the next commit. */
  @Tool({
    name: "git_diff_staged",
    title: "Compare the index with the last commit",
    readOnly: true,
    openWorld: false,
  })
  async diffStaged({ repo_path, context_lines = 3 }: DiffOptions): Promise<string> {
    return this.#diff(repo_path, context_lines, ["--cached"]);
  }

  /** Shows the differences between files and a commit, or between two commits (`main..topic`, `main...topic`). */
  @Tool({ name: "git_diff", title: "Compare with a branch or commit", readOnly: true, openWorld: false })
  async diff({ repo_path, target, context_lines = 3 }: DiffOptions & { target: Revision }): Promise<string> {
    const repository = await this.repositories.open(repo_path);
    const [, from, dots, to] = /^(.+?)(\.{2,3})(.+)$/.exec(target) ?? [];
    const commits =
      from !== undefined && to !== undefined
        ? `${await findCommit(repository, from)}${dots}${await findCommit(repository, to)}`
        : await findCommit(repository, target);
    return this.#diff(repository, context_lines, [commits]);
  }

  /** Lists commits, newest first. */
  @Tool({ name: "git_log", title: "List the newest commits", readOnly: true, openWorld: false })
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

  /** Shows a commit with its changes. */
  @Tool({ name: "git_show", title: "Show a commit and its changes", readOnly: true, openWorld: false })
  async show({ repo_path, revision }: InRepository & { revision: Revision }): Promise<string> {
    const repository = await this.repositories.open(repo_path);
    return runGit(repository, ["show", ...PLAIN, await findCommit(repository, revision), "--"]);
  }

  /** Lists branches. */
  @Tool({
    name: "git_branch",
    title: "List the branches of the repository",
    readOnly: true,
    openWorld: false,
  })
  async branches({
    repo_path,
    branch_type = "local",
    contains,
    not_contains,
  }: BranchOptions): Promise<Branch[]> {
    const repository = await this.repositories.open(repo_path);
    const args = ["for-each-ref", "--format=%(refname:short)%00%(objectname)%00%(HEAD)"];
    if (contains !== undefined) args.push(`--contains=${await findCommit(repository, contains)}`);
    if (not_contains !== undefined) args.push(`--no-contains=${await findCommit(repository, not_contains)}`);
    const text = await runGit(repository, [...args, ...REFS[branch_type]]);
    return text.split("\n").flatMap((line) => {
      const [name = "", hash = "", head] = line.split("\0");
      return name === "" ? [] : [{ name, hash, isCurrent: head === "*" }];
    });
  }

  async #diff(path: string | undefined, lines: number, args: readonly string[]): Promise<string> {
    const repository = await this.repositories.open(path);
    const text = await runGit(repository, ["diff", ...PLAIN, `--unified=${lines}`, ...args, "--"]);
    return text === "" ? "There are no differences." : text;
  }
}
