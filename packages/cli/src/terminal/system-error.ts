import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { getSystemErrorMap } from "node:util";
import { Failure } from "./failure.js";

/** What the person at the terminal can do, for errors that have nothing to do with the program. */
const HINTS: Record<string, string | undefined> = {
  EACCES: "Look at who owns it and who may write there, or choose another place.",
  EPERM: "Look at who owns it and who may write there, or choose another place.",
  EROFS: "The file system is read-only. Choose another place.",
  ENOSPC: "The disk is full.",
  EDQUOT: "Your part of the disk is full.",
  ENOTDIR: "A part of this path is a file. Choose another place.",
  EISDIR: "There is a folder where a file is wanted.",
  EEXIST: "There is a file of that name already.",
  ENOENT: "A part of this path does not exist.",
  ENAMETOOLONG: "The path is too long. Choose a shorter one.",
  ELOOP: "Links in this path lead back to themselves.",
  EBUSY: "Another program uses it. Close that and try again.",
  EMFILE: "Too many files are open. Raise the limit (`ulimit -n`).",
  ENFILE: "Too many files are open. Close other programs and try again.",
};

/** What was to be done with the path, by the system call that failed. */
const ATTEMPTS: Record<string, string | undefined> = {
  mkdir: "made",
  rmdir: "removed",
  rm: "removed",
  unlink: "removed",
  copyfile: "copied",
  rename: "renamed",
  write: "written",
  symlink: "made",
  scandir: "read",
  read: "read",
  stat: "read",
  lstat: "read",
  spawn: "started",
};

/**
 * What the operating system refused, as a failure without a stack.
 *
 * @returns nothing for any other error
 * @example
 * systemFailure(error)?.message // "`/srv/app` cannot be made: permission denied (EACCES)."
 */
export function systemFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { path, dest, syscall = "" } = error as NodeJS.ErrnoException & { dest?: string };
  const { code, errno } = causeOf(error);
  if (code === undefined || !Object.hasOwn(HINTS, code)) return undefined;
  const reason = getSystemErrorMap().get(errno ?? 0)?.[1] ?? "the system refused";
  const shown = dest ?? path;
  // Of a write that failed, the system does not say where.
  if (shown === undefined && !NAMELESS.has(code)) return undefined;
  const what = shown === undefined ? "A file" : `\`${shown}\``;
  const message = `${what} cannot be ${ATTEMPTS[syscall] ?? "opened"}: ${reason} (${code}).`;
  const hint = HINTS[code];
  return new Failure(message, { cause: error, ...(hint !== undefined && { hint }) });
}

/** They say enough without a path, or Node never tells one. */
const NAMELESS: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EISDIR"]);

/** Of a folder that cannot be made in one that may not be written to, Node says that it does not exist. */
function causeOf(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  if (error.syscall !== "mkdir" || error.code !== "ENOENT" || error.path === undefined) return error;
  let above = dirname(error.path);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    return error;
  } catch (cause) {
    return cause as NodeJS.ErrnoException;
  }
}
