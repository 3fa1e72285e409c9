import type { ScopeTable } from "../../api/auth.js";

/**
 * Returns the granted scopes and all that they imply.
 *
 * @example
 * expandScopes(["files:write"], { "files:read": {}, "files:write": { implies: ["files:read"] } })
 * // Set { "files:write", "files:read" }
 */
export function expandScopes(granted: Iterable<string>, table: ScopeTable): ReadonlySet<string> {
  const allowed = new Set(granted);
  for (const scope of allowed) {
    const { implies = [] } = Object.hasOwn(table, scope) ? (table[scope] ?? {}) : {};
    for (const each of implies) allowed.add(each);
  }
  return allowed;
}
