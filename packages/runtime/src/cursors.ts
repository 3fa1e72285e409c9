import { invalidParams } from "./errors.js";
import type { Params } from "./jsonrpc.js";
import { nodeCrypto } from "./node-crypto.js";

/** Where the next page of a list begins. */
export interface Position {
  /** How many items came before it. */
  readonly offset: number;
  /** Stands for the list (or the item before it) as it was when the cursor was given out. */
  readonly mark: string;
}

const CURSOR = /^([a-z]{1,20})\.(0|[1-9]\d{0,8})\.([\w-]{11})$/i;

/** A short text that stands for a longer one. */
export function markOf(text: string): string {
  return nodeCrypto().createHash("sha256").update(text).digest("base64url").slice(0, 11);
}

/** The cursor with which a client asks for what follows. It means nothing to clients. */
export function writeCursor(list: string, position: Position): string {
  return Buffer.from(`${list}.${position.offset}.${position.mark}`).toString("base64url");
}

/**
 * Reads the cursor of a list request; `undefined` for the first page.
 *
 * @throws ProtocolError when the cursor is none that this list gives out.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export function readCursor(list: string, params: Params): Position | undefined {
  const { cursor } = params;
  if (cursor === undefined || cursor === null || cursor === "") return undefined;
  if (typeof cursor !== "string" || cursor.length > 128) throw invalidCursor();
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, name, offset, mark = ""] = CURSOR.exec(text) ?? [];
  if (name !== list || Buffer.from(text).toString("base64url") !== cursor) throw invalidCursor();
  return { offset: Number(offset), mark };
}

export function invalidCursor(): Error {
  return invalidParams("The cursor is not one that this server gave out for this list.");
}
