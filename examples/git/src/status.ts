/** A changed file. */
export interface FileChange {
  path: string;
  change: "added" | "modified" | "deleted" | "renamed" | "copied" | "other type";
  /** Its path before it was renamed or copied. */
  from?: string;
}

export interface Status {
  /** Absent if no branch is checked out. */
  branch?: string;
  /** The tracked remote branch, and the number of commits by which they differ. */
  upstream?: { name: string; ahead: number; behind: number };
  /** Changes in the next commit. */
  staged: FileChange[];
  /** Changes that are not staged yet. */
  unstaged: FileChange[];
  untracked: string[];
  /** Files with merge conflicts. */
  conflicts: string[];
}

const CHANGES: Record<string, FileChange["change"]> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "other type",
};

/**
 * Parses the output of Git.
 *
 * @param text the output of `git status --porcelain=v2 --branch -z`
 * @see https://git-scm.com/docs/git-status#_porcelain_format_version_2
 */
export function readStatus(text: string): Status {
  const status: Status = { staged: [], unstaged: [], untracked: [], conflicts: [] };
  const records = text.split("\0");
  for (let record = records.shift(); record !== undefined; record = records.shift()) {
    const [kind, ...fields] = record.split(" ");
    if (kind === "#") readHeader(status, fields);
    if (kind === "?") status.untracked.push(record.slice(2));
    if (kind === "u") status.conflicts.push(fields.slice(9).join(" "));
    if (kind === "1") addChange(status, fields[0], { path: fields.slice(7).join(" ") });
    if (kind === "2")
      addChange(status, fields[0], { path: fields.slice(8).join(" "), from: records.shift() ?? "" });
  }
  return status;
}

function readHeader(status: Status, [name, first = "", second = ""]: string[]): void {
  if (name === "branch.head" && first !== "(detached)") status.branch = first;
  if (name === "branch.upstream") status.upstream = { name: first, ahead: 0, behind: 0 };
  if (name === "branch.ab" && status.upstream) {
    Object.assign(status.upstream, { ahead: Number(first), behind: -Number(second) });
  }
}

/**
 * Adds the changes of a file.
 *
 * @param letters a letter for the staged change, and one for the unstaged change
 */
function addChange(status: Status, letters = "..", file: { path: string; from?: string }): void {
  const [staged, unstaged] = [...letters].map((letter) => CHANGES[letter]);
  const { path, from } = file;
  const isMoved = (change: string): boolean => change === "renamed" || change === "copied";
  if (staged)
    status.staged.push({ path, change: staged, ...(from !== undefined && isMoved(staged) && { from }) });
  if (unstaged)
    status.unstaged.push({
      path,
      change: unstaged,
      ...(from !== undefined && isMoved(unstaged) && { from }),
    });
}
