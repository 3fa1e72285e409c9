import type { CacheHint } from "../../data/results/cache-hints.js";
import type { Call } from "../connection/call.js";
import type { Handler } from "../assembly/handlers.js";
import type { Params } from "../../protocol/jsonrpc.js";
import type { Revision } from "../../protocol/revisions.js";
import type { ServerParts } from "../stages/stage.js";
import { createInvalidCursorError, createMark, readCursor, writeCursor } from "./paging.js";

/** The entries of a list, and how they are listed. */
export interface ListSource<Entry> {
  /** The member of the result that holds the list, such as `"tools"`. */
  member: string;
  entries: readonly Entry[];
  /** Returns the unique key of an entry. */
  getKey(entry: Entry): string;
  /** Returns the entry's definition as clients of a revision know it. */
  project(entry: Entry, revision: Revision): object;
  hint: CacheHint;
}

/** Returns the response to a list request, as JSON text. */
export type ListMethod = (call: Call) => string;

/**
 * Creates the method of a list. Pages that cannot change are encoded once per revision. If entries can be disabled, a
 * page is built for each request.
 */
export function createList<Entry extends { handler: Handler }>(
  source: ListSource<Entry>,
  { settings: { pageSize }, write }: Pick<ServerParts, "settings" | "write">,
): ListMethod {
  const { member, entries, hint } = source;
  const isConstant = entries.every(({ handler }) => !handler.canBeDisabled);
  const definitions = new Map<Revision, object[]>();
  const pages = new Map<Revision, Map<number, string>>();
  // Cursors count entries, so they are valid in every process that serves the same entries.
  let mark: string | undefined;
  const getMark = (): string => {
    mark ??= createMark(JSON.stringify(entries.map((entry) => source.getKey(entry))));
    return mark;
  };

  const getDefinitions = (revision: Revision): object[] => {
    let projected = definitions.get(revision);
    if (projected === undefined) {
      projected = entries.map((entry) => source.project(entry, revision));
      definitions.set(revision, projected);
    }
    return projected;
  };

  const readStart = (params: Params): number => {
    const position = readCursor(member, params);
    if (position === undefined) return 0;
    if (position.mark !== getMark() || position.offset >= entries.length) throw createInvalidCursorError();
    return position.offset;
  };

  const createPage = (start: number, call: Call): string => {
    const { revision } = call;
    const items = getDefinitions(revision);
    const listed: (object | undefined)[] = [];
    let next = start;
    for (; next < entries.length; next++) {
      if (entries[next]?.handler.isEnabled(call) !== true) continue;
      if (listed.length === pageSize) break;
      listed.push(items[next]);
    }
    const position = next < entries.length ? { offset: next, mark: getMark() } : undefined;
    const nextCursor = position && writeCursor(member, position);
    return write(revision, { [member]: listed, nextCursor }, { hint });
  };

  return (call) => {
    const { params, revision } = call;
    const start = readStart(params);
    if (!isConstant) return createPage(start, call);
    let encoded = pages.get(revision);
    if (encoded === undefined) {
      encoded = new Map();
      pages.set(revision, encoded);
    }
    let page = encoded.get(start);
    if (page === undefined) {
      page = createPage(start, call);
      // Cache only the usual starts of pages, so that other cursors cannot fill the memory.
      if (start % pageSize === 0) encoded.set(start, page);
    }
    return page;
  };
}
