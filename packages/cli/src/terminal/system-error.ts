import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { getSystemErrorMap } from "node:util";
import { Failure } from "./failure.js";

/** Hints for errors of the operating system, by their codes. */
const HINTS: Record<string, string | undefined> = {
  EACCES: "Check its owner and permissions, or choose another path.",
  EPERM: "Check its owner and permissions, or choose another path.",
  EROFS: "The file system is read-only. Choose another path.",
  ENOSPC: "The disk is full. Free some space and try again.",
  EDQUOT: "Your disk quota is used up. Free some space and try again.",
  ENOTDIR: "A part of this path is a file. Choose another path.",
  EISDIR: "This path is a folder. Name a file.",
  EEXIST: "A file with this name already exists. Remove it, or choose another name.",
  ENOENT: "A part of this path does not exist. Check the spelling.",
  ENAMETOOLONG: "The path is too long. Choose a shorter one.",
  ELOOP: "The symbolic links in this path form a loop. Remove one of them.",
  EBUSY: "Another program is using it. Close that program and try again.",
  EMFILE: "Too many files are open. Raise the limit (`ulimit -n`).",
  ENFILE: "Too many files are open. Close other programs and try again.",
};

/** Past participles for the operation on the path, by the system call that failed. */
const ATTEMPTS: Record<string, string | undefined> = {
  mkdir: "created",
  rmdir: "removed",
  rm: "removed",
  unlink: "removed",
  copyfile: "copied",
  rename: "renamed",
  write: "written",
  symlink: "created",
  scandir: "read",
  read: "read",
  stat: "read",
  lstat: "read",
  spawn: "started",
};

/**
 * Converts an error of the operating system into a failure.
 *
 * @returns the failure, or undefined for any other error
 * @example
 * toSystemFailure(error)?.message // "`/srv/app` cannot be created: permission denied (EACCES)."
 */
export function toSystemFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { path, dest, syscall = "" } = error as NodeJS.ErrnoException & { dest?: string };
  const { code, errno } = findCause(error);
  if (code === undefined || !Object.hasOwn(HINTS, code)) return undefined;
  const reason = getSystemErrorMap().get(errno ?? 0)?.[1] ?? "the system rejected it";
  const target = dest ?? path;
  // The system does not report the path of a failed write.
  if (target === undefined && !NAMELESS.has(code)) return undefined;
  const subject = target === undefined ? "A file" : `\`${target}\``;
  const message = `${subject} cannot be ${ATTEMPTS[syscall] ?? "opened"}: ${reason} (${code}).`;
  const hint = HINTS[code];
  return new Failure(message, { cause: error, ...(hint !== undefined && { hint }) });
}

/** Codes that are clear without a path, or for which Node never reports one. */
const NAMELESS: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EISDIR"]);

/** Finds the actual cause: if a parent folder is not writable, Node reports that the new folder does not exist. */
function findCause(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  if (error.syscall !== "mkdir" || error.code !== "ENOENT" || error.path === undefined) return error;
  let parent = dirname(error.path);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    return error;
  } catch (cause) {
    return cause as NodeJS.ErrnoException;
  }
}
