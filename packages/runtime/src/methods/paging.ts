/**
 * Lists that take more than one reply, and lists whose entries come and go.
 * @module
 */
import { hinted } from "../assembly/cache-hints.js";
import { always } from "../assembly/plans.js";
import type { Params } from "../protocol/jsonrpc.js";
import { givenCursor, invalidCursor, listMembers, type ListReply, type ListSource } from "./lists.js";
import type { MethodSource } from "./method.js";
import { nodeCrypto } from "../ask/node-crypto.js";
import type { Revision } from "../protocol/revisions.js";

/** Entries that can be disabled may come and go, so their list is put together for each request. */
export function pagedList<Entry extends { isEnabled: () => boolean }>(
  source: ListSource<Entry>,
  { settings: { pageSize }, seal }: Pick<MethodSource, "settings" | "seal">,
): ListReply {
  const { member, entries, hint } = source;
  const isConstant = entries.every((entry) => entry.isEnabled === always);
  const definitions = new Map<Revision, string[]>();
  const pages = new Map<Revision, Map<number, string>>();
  // Cursors count entries, which means the same to every process that serves the same entries.
  let mark: string | undefined;
  const markOfEntries = (): string => {
    mark ??= markOf(JSON.stringify(entries.map((entry) => source.keyOf(entry))));
    return mark;
  };

  const definitionsFor = (revision: Revision): string[] => {
    let texts = definitions.get(revision);
    if (texts === undefined) {
      texts = entries.map((entry) => JSON.stringify(source.project(entry, revision)));
      definitions.set(revision, texts);
    }
    return texts;
  };

  const startOf = (params: Params): number => {
    const position = readCursor(member, params);
    if (position === undefined) return 0;
    if (position.mark !== markOfEntries() || position.offset >= entries.length) throw invalidCursor();
    return position.offset;
  };

  const page = (start: number, revision: Revision): string => {
    const texts = definitionsFor(revision);
    const shown: string[] = [];
    let next = start;
    for (; next < entries.length; next++) {
      if (entries[next]?.isEnabled() !== true) continue;
      if (shown.length === pageSize) break;
      shown.push(texts[next] ?? "");
    }
    const position = next < entries.length ? { offset: next, mark: markOfEntries() } : undefined;
    const members = pageMembers(member, shown, position && writeCursor(member, position));
    return seal(revision, hinted(members, hint, revision));
  };

  return ({ params, revision }) => {
    const start = startOf(params);
    if (!isConstant) return page(start, revision);
    let made = pages.get(revision);
    if (made === undefined) {
      made = new Map();
      pages.set(revision, made);
    }
    let reply = made.get(start);
    if (reply === undefined) {
      reply = page(start, revision);
      // Only the starts of pages are kept, so that odd cursors cannot fill the memory.
      if (start % pageSize === 0) made.set(start, reply);
    }
    return reply;
  };
}

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
  const found = items.findIndex((item) => markOf(keyOf(item)) === mark);
  // When the last item shown is gone, those after it have moved up by one.
  return found >= 0 ? found + 1 : Math.min(offset - 1, items.length);
}

/** The members of a list reply: its items as JSON text, and where the rest begins. */
export function pageMembers(member: string, items: readonly string[], cursor: string | undefined): string {
  const members = listMembers(member, items);
  return cursor === undefined ? members : `${members},"nextCursor":"${cursor}"`;
}

/** Where the next page of a list begins. */
interface Position {
  /** How many items came before it. */
  readonly offset: number;
  /** Stands for the list (or the item before it) as it was when the cursor was given out. */
  readonly mark: string;
}

const CURSOR = /^([a-z]{1,20})\.(0|[1-9]\d{0,8})\.([\w-]{11})$/i;

/** A short text that stands for a longer one. */
function markOf(text: string): string {
  return nodeCrypto().createHash("sha256").update(text).digest("base64url").slice(0, 11);
}

/** The cursor with which a client asks for what follows. It means nothing to clients. */
function writeCursor(list: string, position: Position): string {
  return Buffer.from(`${list}.${position.offset}.${position.mark}`).toString("base64url");
}

/**
 * Reads the cursor of a list request; `undefined` for the first page.
 *
 * @throws ProtocolError when the cursor is none that this list gives out.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
function readCursor(list: string, params: Params): Position | undefined {
  const cursor = givenCursor(params);
  if (cursor === undefined) return undefined;
  if (typeof cursor !== "string" || cursor.length > 128) throw invalidCursor();
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, name, offset, mark = ""] = CURSOR.exec(text) ?? [];
  if (name !== list || Buffer.from(text).toString("base64url") !== cursor) throw invalidCursor();
  return { offset: Number(offset), mark };
}
