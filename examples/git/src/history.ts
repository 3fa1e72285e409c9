import { runGit } from "./run-git.js";

export interface Commit {
  hash: string;
  author: string;
  date: Date;
  message: string;
}

const FORMAT = "--format=%H%x00%an <%ae>%x00%aI%x00%B";
const FIELDS = 4;

/**
 * Reads commits with `git log`.
 *
 * @param args further options, which must not contain unchecked input from a caller
 */
export async function readLog(
  repository: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Commit[]> {
  const text = await runGit(repository, ["log", "-z", FORMAT, ...args], signal && { signal });
  const fields = text.split("\0");
  return Array.from({ length: Math.floor(fields.length / FIELDS) }, (_, index) => {
    const [hash = "", author = "", date = "", message = ""] = fields.slice(index * FIELDS);
    return { hash, author, date: new Date(date), message: message.trimEnd() };
  });
}
