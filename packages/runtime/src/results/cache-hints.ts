import type { CacheOptions, CacheOptionsByList, ServerConfig } from "../api/define-server.js";

/** Cache hints of a result that clients may keep. */
export type CacheHint = Readonly<Required<CacheOptions>>;

/** How long clients may keep a list that cannot change while the server runs, in milliseconds. */
const LIST_TTL_MS = 60_000;

/** For what may change at any moment, and may depend on the caller. */
const FRESH: CacheHint = { ttlMs: 0, cacheScope: "private" };

/**
 * The hints that go with a list: as configured for it, or else by whether it can change.
 *
 * @param isConstant it is the same for everybody while the server runs
 * @throws TypeError when the configured hints are none.
 */
export function listHint(
  { listTtlMs = LIST_TTL_MS, cache }: ServerConfig,
  list: keyof CacheOptionsByList,
  isConstant: boolean,
): CacheHint {
  const hint: CacheHint = isConstant ? { ttlMs: listTtlMs, cacheScope: "public" } : FRESH;
  return withOptions(hint, cache?.[list], `cache.${list}`);
}

/**
 * The hints that go with what a resource holds.
 *
 * @throws TypeError when the decorator's hints are none.
 */
export function readHint(options: CacheOptions | undefined, uri: string): CacheHint {
  return withOptions(FRESH, options, `cache of resource "${uri}"`);
}

function withOptions(hint: CacheHint, options: CacheOptions = {}, place: string): CacheHint {
  const { ttlMs = hint.ttlMs, cacheScope = hint.cacheScope } = options;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
    throw new TypeError(
      `${place}: ttlMs must be a whole number of milliseconds, at least 0 (got ${String(ttlMs)})`,
    );
  }
  if (cacheScope !== "public" && cacheScope !== "private") {
    throw new TypeError(`${place}: cacheScope must be "public" or "private" (got ${String(cacheScope)})`);
  }
  return { ttlMs, cacheScope };
}
