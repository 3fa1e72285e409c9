import { Tool, ToolError } from "@tenon/runtime";
import { readLog, type Commit } from "./history.js";
import type { InRepository, Revision } from "./read-tools.js";
import { findCommit, type Repositories } from "./repositories.js";
import { runGit } from "./run-git.js";
import { readStatus, type Status } from "./status.js";

export interface NewCommit extends InRepository {
  /** Summary of the change and its reason @minLength 1 */
  message: string;
}

export interface NewBranch extends InRepository {
  branch_name: Revision;
  /** Start of the branch (default: HEAD) */
  base_branch?: Revision;
}

/** Tools that change a repository. */
export class ChangeTools {
  constructor(private readonly repositories: Repositories) {}

  /** Adds the current content of files to the next commit. */
  @Tool({
    name: "git_add",
    title: "Stage files for the next commit",
    destructive: false,
    idempotent: true,
    openWorld: false,
  })
  async add({
    repo_path,
    files,
  }: InRepository & {
    /** Paths in the repository; "." for all files @minItems 1 */ files: string[];
  }): Promise<Status> {
    const repository = await this.repositories.open(repo_path);
    await runGit(repository, ["add", "--", ...files]);
    return this.#status(repository);
  }

  /** Removes all changes from the next commit, without changing files. */
  @Tool({
    name: "git_reset",
    title: "Unstage all changes",
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  async reset({ repo_path }: InRepository): Promise<Status> {
    const repository = await this.repositories.open(repo_path);
    await runGit(repository, ["reset", "--quiet"]);
    return this.#status(repository);
  }

  /** Commits the added changes. */
  @Tool({ name: "git_commit", title: "Commit the staged changes", destructive: false, openWorld: false })
  commit({ repo_path, message }: NewCommit): Promise<Commit> {
    return this.#commit(repo_path, [`--message=${message}`]);
  }

  /** Commits the added changes with a signature. Requires a key without a passphrase prompt. */
  @Tool({
    name: "git_commit_signed",
    title: "Commit the staged changes with a signature",
    destructive: false,
    openWorld: false,
  })
  commitSigned({
    repo_path,
    message,
    key_id = "",
  }: NewCommit & {
    /** The key (default: the key in Git's configuration) */ key_id?: string;
  }): Promise<Commit> {
    return this.#commit(repo_path, [`--message=${message}`, `--gpg-sign${key_id && "="}${key_id}`]);
  }

  /** Creates a branch without checking it out. */
  @Tool({
    name: "git_create_branch",
    title: "Create a branch from another",
    destructive: false,
    openWorld: false,
  })
  async createBranch({ repo_path, branch_name, base_branch = "HEAD" }: NewBranch): Promise<string> {
    const repository = await this.repositories.open(repo_path);
    const base = await findCommit(repository, base_branch);
    await runGit(repository, ["branch", "--no-track", "--end-of-options", branch_name, base]);
    return `Branch ${branch_name} starts at ${base.slice(0, 10)}.`;
  }

  /** Checks out a branch. Fails if uncommitted changes conflict with it; otherwise keeps them. */
  @Tool({
    name: "git_checkout",
    title: "Switch to another branch",
    destructive: false,
    idempotent: true,
    openWorld: false,
  })
  async checkout({ repo_path, branch_name }: InRepository & { branch_name: Revision }): Promise<Status> {
    const repository = await this.repositories.open(repo_path);
    await runGit(repository, ["show-ref", "--quiet", "--verify", `refs/heads/${branch_name}`]).catch(() => {
      throw new ToolError(`There is no branch ${branch_name}.`);
    });
    await runGit(repository, ["checkout", "--quiet", branch_name, "--"]);
    return this.#status(repository);
  }

  async #commit(path: string | undefined, args: readonly string[]): Promise<Commit> {
    const repository = await this.repositories.open(path);
    await runGit(repository, ["commit", "--quiet", ...args]);
    const [commit] = await readLog(repository, ["--max-count=1"]);
    if (!commit) throw new ToolError("Git created no commit.");
    return commit;
  }

  async #status(repository: string): Promise<Status> {
    return readStatus(await runGit(repository, ["status", "--porcelain=v2", "--branch", "-z"]));
  }
}
