import type { CacheOptions, CacheOptionsByList, ServerConfig } from "../../api/define-server.js";

/** Cache hints of a result that clients may keep. */
export type CacheHint = Readonly<Required<CacheOptions>>;

/** The default time for which clients may keep a list that cannot change, in milliseconds. */
const DEFAULT_LIST_TTL_MS = 60_000;

/** The hint of results that may change at any time, and may depend on the caller. */
const FRESH: CacheHint = { ttlMs: 0, cacheScope: "private" };

/**
 * Returns the hints of a list: the configured ones, or defaults that depend on whether it can change.
 *
 * @param isConstant whether all callers receive the same list while the server runs
 */
export function getListHint(
  { listTtlMs = DEFAULT_LIST_TTL_MS, cache }: ServerConfig,
  list: keyof CacheOptionsByList,
  isConstant: boolean,
): CacheHint {
  const hint: CacheHint = isConstant ? { ttlMs: listTtlMs, cacheScope: "public" } : FRESH;
  return withOptions(hint, cache?.[list]);
}

/** Returns the hints of the content of a resource. */
export function getReadHint(options: CacheOptions | undefined): CacheHint {
  return withOptions(FRESH, options);
}

function withOptions(hint: CacheHint, options: CacheOptions = {}): CacheHint {
  const { ttlMs = hint.ttlMs, cacheScope = hint.cacheScope } = options;
  return { ttlMs, cacheScope };
}
