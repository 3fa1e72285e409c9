import { ToolError, type Middleware } from "@tenon/runtime";

/** Messages for system errors that a model can understand, without the paths in the system's own messages. */
const MESSAGES: Record<string, string> = {
  EACCES: "Permission denied.",
  EEXIST: "A file or directory with that name already exists.",
  EISDIR: "That is a directory, not a file.",
  ELOOP: "That path leads to a symbolic link that cannot be followed.",
  ENAMETOOLONG: "That name is too long.",
  ENOENT: "There is no such file or directory.",
  ENOSPC: "The disk is full.",
  ENOTDIR: "Part of that path is a file, not a directory.",
  ENOTEMPTY: "That directory is not empty.",
  ENXIO: "That is neither a file nor a directory.",
  EPERM: "Operation not permitted.",
  EROFS: "That is on a read-only disk.",
  EXDEV: "The destination is on another disk. Copy the file instead of moving it.",
};

/** Converts file system errors to messages for the model, as middleware. */
export const plainErrors: Middleware = async (_call, next) => {
  try {
    return await next();
  } catch (error) {
    throw toToolError(error) ?? error;
  }
};

/** Converts a file system error to a `ToolError`; returns `undefined` for any other value. */
export function toToolError(error: unknown): ToolError | undefined {
  if (error instanceof ToolError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = MESSAGES[code];
  return message === undefined ? undefined : new ToolError(message, { cause: error });
}
