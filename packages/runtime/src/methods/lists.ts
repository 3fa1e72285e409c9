import { type CacheHint, hinted } from "../assembly/cache-hints.js";
import type { Call } from "../connection/call.js";
import { needed } from "../assembly/plans.js";
import { invalidParams } from "../api/errors.js";
import type { MethodSource } from "./method.js";
import type { Revision } from "../protocol/revisions.js";

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

/** Lists are told whole and never change, unless the server has the feature `paging`. */
export function createList<Entry extends { isEnabled: () => boolean }>(
  list: ListSource<Entry>,
  source: MethodSource,
): ListReply {
  const { features, settings, seal } = source;
  if (features.paging !== undefined) return features.paging.list(list, source);
  const { member, entries, hint } = list;
  if (entries.length > settings.pageSize) needed(features, "paging");
  const replies = new Map<Revision, string>();
  return ({ params, revision }) => {
    if (givenCursor(params) !== undefined) throw invalidCursor();
    let reply = replies.get(revision);
    if (reply === undefined) {
      const texts = entries.map((entry) => JSON.stringify(list.project(entry, revision)));
      reply = seal(revision, hinted(listMembers(member, texts), hint, revision));
      replies.set(revision, reply);
    }
    return reply;
  };
}

/** The member of a list reply that holds its items, given as JSON text. */
export function listMembers(member: string, items: readonly string[]): string {
  return `"${member}":[${items.join()}]`;
}

/** The cursor of a list request; `undefined` for the first page. */
export function givenCursor({ cursor }: Call["params"]): unknown {
  return cursor === null || cursor === "" ? undefined : cursor;
}

export function invalidCursor(): Error {
  return invalidParams("The cursor is not one that this server gave out for this list.");
}
