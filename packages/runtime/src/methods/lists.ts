import type { CacheHint } from "../results/cache-hints.js";
import type { Call } from "../connection/call.js";
import type { Handler } from "../assembly/handlers.js";
import type { Params } from "../protocol/jsonrpc.js";
import type { Revision } from "../protocol/revisions.js";
import type { MethodSource } from "./method.js";
import { invalidCursor, markOf, readCursor, writeCursor } from "./paging.js";

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
}

/** A list reply as JSON text. Replies that cannot change are made once for each revision that is asked for. */
export type ListReply = (call: Call) => string;

/** Entries that can be disabled may come and go, so their list is put together for each request. */
export function createList<Entry extends { handler: Handler }>(
  source: ListSource<Entry>,
  { settings: { pageSize }, write }: Pick<MethodSource, "settings" | "write">,
): ListReply {
  const { member, entries, hint } = source;
  const isConstant = entries.every(({ handler }) => !handler.canBeDisabled);
  const definitions = new Map<Revision, object[]>();
  const pages = new Map<Revision, Map<number, string>>();
  // Cursors count entries, which means the same to every process that serves the same entries.
  let mark: string | undefined;
  const markOfEntries = (): string => {
    mark ??= markOf(JSON.stringify(entries.map((entry) => source.keyOf(entry))));
    return mark;
  };

  const definitionsFor = (revision: Revision): object[] => {
    let projected = definitions.get(revision);
    if (projected === undefined) {
      projected = entries.map((entry) => source.project(entry, revision));
      definitions.set(revision, projected);
    }
    return projected;
  };

  const startOf = (params: Params): number => {
    const position = readCursor(member, params);
    if (position === undefined) return 0;
    if (position.mark !== markOfEntries() || position.offset >= entries.length) throw invalidCursor();
    return position.offset;
  };

  const page = (start: number, call: Call): string => {
    const { revision } = call;
    const items = definitionsFor(revision);
    const shown: (object | undefined)[] = [];
    let next = start;
    for (; next < entries.length; next++) {
      if (entries[next]?.handler.isEnabled(call) !== true) continue;
      if (shown.length === pageSize) break;
      shown.push(items[next]);
    }
    const position = next < entries.length ? { offset: next, mark: markOfEntries() } : undefined;
    const nextCursor = position && writeCursor(member, position);
    return write(revision, { [member]: shown, nextCursor }, { hint });
  };

  return (call) => {
    const { params, revision } = call;
    const start = startOf(params);
    if (!isConstant) return page(start, call);
    let made = pages.get(revision);
    if (made === undefined) {
      made = new Map();
      pages.set(revision, made);
    }
    let reply = made.get(start);
    if (reply === undefined) {
      reply = page(start, call);
      // Only the starts of pages are kept, so that odd cursors cannot fill the memory.
      if (start % pageSize === 0) made.set(start, reply);
    }
    return reply;
  };
}
