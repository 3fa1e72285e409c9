/**
 * Pages of lists, and the cursors between them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 * @module
 */
import { createInvalidParamsError } from "../../api/errors.js";
import { getNodeCrypto } from "../../access/encryption/node-crypto.js";
import type { Params } from "../../protocol/jsonrpc.js";

/**
 * Selects one page of a list that is created for each request. A cursor contains a mark of the item before it, so that
 * items that are added or removed before it do not shift the page.
 *
 * @throws ProtocolError for a cursor that is not valid for this list
 */
export function selectPage<Item>(
  list: string,
  items: readonly Item[],
  getKey: (item: Item) => string,
  params: Params,
  pageSize: number,
): { page: readonly Item[]; cursor: string | undefined } {
  const start = findStart(list, items, getKey, params);
  const end = start + pageSize;
  const last = items[end - 1];
  const hasMore = end < items.length && last !== undefined;
  return {
    page: start === 0 && !hasMore ? items : items.slice(start, end),
    cursor: hasMore ? writeCursor(list, { offset: end, mark: createMark(getKey(last)) }) : undefined,
  };
}

function findStart<Item>(
  list: string,
  items: readonly Item[],
  getKey: (item: Item) => string,
  params: Params,
): number {
  const position = readCursor(list, params);
  if (position === undefined) return 0;
  const { offset, mark } = position;
  if (offset === 0) throw createInvalidCursorError();
  const expected = items[offset - 1];
  if (expected !== undefined && createMark(getKey(expected)) === mark) return offset;
  const found = findNearIndex(items, offset - 1, (item) => createMark(getKey(item)) === mark);
  // If the last item of the previous page was removed, the following items have moved up by one.
  return found >= 0 ? found + 1 : Math.min(offset - 1, items.length);
}

/** Returns the index of an item, searching outward from its former index, or -1. Usually it has not moved far. */
function findNearIndex<Item>(
  items: readonly Item[],
  index: number,
  isMatch: (item: Item) => boolean,
): number {
  const start = Math.min(index, items.length);
  for (let distance = 0; distance <= items.length; distance++) {
    for (const at of [start + distance, start - distance]) {
      const item = items[at];
      if (item !== undefined && isMatch(item)) return at;
    }
  }
  return -1;
}

/** The position at which the next page of a list begins. */
export interface Position {
  /** The number of items before it. */
  readonly offset: number;
  /** Identifies the list, or the item before the position, at the time when the cursor was created. */
  readonly mark: string;
}

const CURSOR = /^([a-z]{1,20})\.(0|[1-9]\d{0,8})\.([\w-]{11})$/i;

/** Returns a short digest of a string. */
export function createMark(text: string): string {
  return getNodeCrypto().createHash("sha256").update(text).digest("base64url").slice(0, 11);
}

/** Encodes the cursor of the next page. */
export function writeCursor(list: string, position: Position): string {
  return Buffer.from(`${list}.${position.offset}.${position.mark}`).toString("base64url");
}

/**
 * Returns the position in the cursor of a list request; undefined for the first page.
 *
 * @throws ProtocolError for a cursor that is not valid for this list
 */
export function readCursor(list: string, params: Params): Position | undefined {
  const { cursor } = params;
  if (cursor === undefined || cursor === null || cursor === "") return undefined;
  if (typeof cursor !== "string" || cursor.length > 128) throw createInvalidCursorError();
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, name, offset, mark = ""] = CURSOR.exec(text) ?? [];
  if (name !== list || Buffer.from(text).toString("base64url") !== cursor) throw createInvalidCursorError();
  return { offset: Number(offset), mark };
}

/** Returns the error for a cursor that is not valid for its list. */
export function createInvalidCursorError(): Error {
  return createInvalidParamsError(
    "The cursor was not created by this server for this list. Request the list without a cursor.",
  );
}
