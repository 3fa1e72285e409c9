import { invalidCursor, markOf, readCursor, writeCursor } from "./cursors.js";
import { always } from "./entries/plans.js";
import type { Params } from "./jsonrpc.js";
import type { Revision } from "./revisions.js";
import type { CacheHint, Seal } from "./seal.js";

/** What a list is made of. */
export interface ListSource<Entry> {
  /** The member of the result that holds the list, such as `"tools"`. */
  member: string;
  entries: readonly Entry[];
  /** What an entry is known by; no two have the same. */
  keyOf(entry: Entry): string;
  /** The entry's definition, as a client of the revision knows it. */
  project(entry: Entry, revision: Revision): object;
  hint: CacheHint;
  /** The most entries in one reply. */
  pageSize: number;
}

/** A list reply as JSON text. Replies that cannot change are made once for each revision that is asked for. */
export type ListReply = (params: Params, revision: Revision, seal: Seal) => string;

/** Entries that can be disabled may come and go, so their list is put together for each request. */
export function createList<Entry extends { isEnabled: () => boolean }>(source: ListSource<Entry>): ListReply {
  const { member, entries, hint, pageSize } = source;
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
    return pageMembers(member, shown, position && writeCursor(member, position));
  };

  return (params, revision, seal) => {
    const start = startOf(params);
    if (!isConstant) return seal.cacheable(page(start, revision), hint);
    let made = pages.get(revision);
    if (made === undefined) {
      made = new Map();
      pages.set(revision, made);
    }
    let reply = made.get(start);
    if (reply === undefined) {
      reply = seal.cacheable(page(start, revision), hint);
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
  const next = cursor === undefined ? "" : `,"nextCursor":"${cursor}"`;
  return `"${member}":[${items.join(",")}]${next}`;
}
