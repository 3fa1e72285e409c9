import { always } from "./entries.js";
import { ErrorCode, type Params } from "./jsonrpc.js";
import { ProtocolError } from "./errors.js";
import type { Revision } from "./revisions.js";
import type { CacheHint, Seal } from "./seal.js";

/** What a list is made of. */
export interface ListSource<Entry> {
  /** The member of the result that holds the list, such as `"tools"`. */
  member: string;
  entries: readonly Entry[];
  isEnabled(entry: Entry): boolean;
  /** The entry's definition, as a client of the revision knows it. */
  project(entry: Entry, revision: Revision): object;
  ttlMs: number;
}

/** A list reply as JSON text, made once for each revision that is asked for. */
export type ListText = (revision: Revision, seal: Seal) => string;

/** `dynamic` entries may come and go, so their list is put together for each request. */
export function createList<Entry extends { isEnabled: () => boolean }>(source: ListSource<Entry>): ListText {
  const { member, entries, ttlMs } = source;
  const dynamic = entries.some((entry) => entry.isEnabled !== always);
  const definitions = new Map<Revision, string[]>();
  const results = new Map<Revision, string>();

  const definitionsFor = (revision: Revision): string[] => {
    let texts = definitions.get(revision);
    if (texts === undefined) {
      texts = entries.map((entry) => JSON.stringify(source.project(entry, revision)));
      definitions.set(revision, texts);
    }
    return texts;
  };

  return (revision, seal) => {
    const known = results.get(revision);
    if (known !== undefined) return known;
    const texts = definitionsFor(revision);
    const shown = dynamic ? texts.filter((_, index) => entries[index]?.isEnabled() === true) : texts;
    const hint: CacheHint = { ttlMs: dynamic ? 0 : ttlMs, cacheScope: dynamic ? "private" : "public" };
    const result = seal.cacheable(`"${member}":[${shown.join(",")}]`, hint);
    if (!dynamic) results.set(revision, result);
    return result;
  };
}

/** Every list fits one page, so a client cannot hold a cursor that was given to it here. */
export function refuseCursor(params: Params): void {
  if (params.cursor === undefined || params.cursor === null) return;
  throw new ProtocolError(ErrorCode.InvalidParams, "The cursor is not one that this server gave out.");
}
