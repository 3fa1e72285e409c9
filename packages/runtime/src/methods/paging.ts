/**
 * Pages of lists, and the cursors that lead from one to the next.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 * @module
 */
import { invalidParams } from "../api/errors.js";
import { nodeCrypto } from "../encryption/node-crypto.js";
import type { Params } from "../protocol/jsonrpc.js";

/**
 * One page of a list that only exists at the moment it is asked for. A cursor remembers the last item it
 * follows, so that items which come or go before it neither hide others nor show them twice.
 *
 * @throws ProtocolError when the cursor is none that this list gives out.
 */
export function pageOf<Item>(
  list: string,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  params: Params,
  pageSize: number,
): { shown: readonly Item[]; cursor: string | undefined } {
  const start = startAmong(list, items, keyOf, params);
  const end = start + pageSize;
  const last = items[end - 1];
  const hasMore = end < items.length && last !== undefined;
  return {
    shown: start === 0 && !hasMore ? items : items.slice(start, end),
    cursor: hasMore ? writeCursor(list, { offset: end, mark: markOf(keyOf(last)) }) : undefined,
  };
}

function startAmong<Item>(
  list: string,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  params: Params,
): number {
  const position = readCursor(list, params);
  if (position === undefined) return 0;
  const { offset, mark } = position;
  if (offset === 0) throw invalidCursor();
  const expected = items[offset - 1];
  if (expected !== undefined && markOf(keyOf(expected)) === mark) return offset;
  const found = indexNear(items, offset - 1, (item) => markOf(keyOf(item)) === mark);
  // When the last item shown is gone, those after it have moved up by one.
  return found >= 0 ? found + 1 : Math.min(offset - 1, items.length);
}

/** The index of an item, looked for from where it was outwards, since it is mostly not far; -1 where there is none. */
function indexNear<Item>(items: readonly Item[], index: number, isIt: (item: Item) => boolean): number {
  const start = Math.min(index, items.length);
  for (let distance = 0; distance <= items.length; distance++) {
    for (const at of [start + distance, start - distance]) {
      const item = items[at];
      if (item !== undefined && isIt(item)) return at;
    }
  }
  return -1;
}

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
