import { ToolError, type Middleware } from "@tenon/runtime";

/** What the system says, as a model understands it, and without the paths that the system would add. */
const MEANINGS: Record<string, string> = {
  EACCES: "The server may not do that: permission denied.",
  EEXIST: "There is something of that name already.",
  EISDIR: "That is a directory, not a file.",
  ELOOP: "That path leads to a symbolic link that cannot be followed.",
  ENAMETOOLONG: "That name is too long.",
  ENOENT: "There is no such file or directory.",
  ENOSPC: "The disk is full.",
  ENOTDIR: "A file stands where that path needs a directory.",
  ENOTEMPTY: "That directory is not empty.",
  ENXIO: "That is neither a file nor a directory.",
  EPERM: "The server may not do that: operation not permitted.",
  EROFS: "That is on a disk that can only be read.",
  EXDEV: "That is on another disk: copy it in place of moving it.",
};

/** Middleware: an error of the file system is one that the model can do something about. */
export const plainErrors: Middleware = async (_call, next) => {
  try {
    return await next();
  } catch (error) {
    throw explained(error) ?? error;
  }
};

/** @returns `undefined` for what is no error of the file system */
export function explained(error: unknown): ToolError | undefined {
  if (error instanceof ToolError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const meaning = MEANINGS[code];
  return meaning === undefined ? undefined : new ToolError(meaning, { cause: error });
}
