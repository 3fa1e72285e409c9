/** A file that is not as it was. */
export interface FileChange {
  path: string;
  change: "added" | "modified" | "deleted" | "renamed" | "copied" | "other type";
  /** Its path before it was renamed or copied. */
  from?: string;
}

export interface Status {
  /** Absent where none is checked out. */
  branch?: string;
  /** The branch elsewhere that it follows, and by how many commits they differ. */
  upstream?: { name: string; ahead: number; behind: number };
  /** What the next commit changes. */
  staged: FileChange[];
  /** What it does not, until it is added. */
  unstaged: FileChange[];
  untracked: string[];
  /** Where a merge wants a decision. */
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
 * @param text what `git status --porcelain=v2 --branch -z` prints
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

/** Two letters: what has happened until the next commit, and since. */
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
