/** Error codes for a port, socket, database, or file that another process uses exclusively. */
const CODES = new Set(["EADDRINUSE", "EBUSY", "ELOCKED", "LEVEL_LOCKED", "SQLITE_BUSY", "SQLITE_LOCKED"]);

/** Thrown when a server cannot start while another runs, because both need the same resource. */
export class ResourceConflictError extends Error {
  override readonly name = "ResourceConflictError";

  /** @param code the code of the error that the server ended with */
  constructor(readonly code: string) {
    super(`Another process uses a resource that the server needs (${code}).`);
  }
}

/** Returns the code of a resource conflict in an error or its causes, or undefined. */
export function findResourceConflict(error: unknown): string | undefined {
  let each = error;
  for (let depth = 0; depth < 5 && each instanceof Error; depth++, each = each.cause) {
    const { code } = each as NodeJS.ErrnoException;
    if (typeof code === "string" && CODES.has(code)) return code;
  }
  return undefined;
}
