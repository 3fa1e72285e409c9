/** How long clients may keep a list that cannot change while the server runs, in milliseconds. */
export const DEFAULT_LIST_TTL_MS = 60_000;
