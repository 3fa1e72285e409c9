/** What only one process can have at a time is held by another: a port, a socket, a database, a file. */
const CODES = new Set(["EADDRINUSE", "EBUSY", "ELOCKED", "LEVEL_LOCKED", "SQLITE_BUSY", "SQLITE_LOCKED"]);

/** A server cannot start beside the one that is running, since that one holds something that both need. */
export class HeldResourceError extends Error {
  override readonly name = "HeldResourceError";

  /** @param code of the error that the server ended with */
  constructor(readonly code: string) {
    super(`What the server needs is held by another (${code}).`);
  }
}

/** The code of an error, or of what caused it, that says so; undefined for any other. */
export function heldResourceCode(error: unknown): string | undefined {
  let each = error;
  for (let depth = 0; depth < 5 && each instanceof Error; depth++, each = each.cause) {
    const { code } = each as NodeJS.ErrnoException;
    if (typeof code === "string" && CODES.has(code)) return code;
  }
  return undefined;
}
