/** What is known of a scope. */
export interface ScopeOptions<Scope extends string = string> {
  /** Who has it may do as well what these allow. */
  readonly implies?: readonly Scope[];
}

/** Scopes by name. */
export type ScopeTable<Scope extends string = string> = Readonly<Record<Scope, ScopeOptions<Scope>>>;

/**
 * All that somebody may do who was granted some scopes.
 *
 * @example
 * allowedScopes(["files:write"], { "files:read": {}, "files:write": { implies: ["files:read"] } })
 * // Set { "files:write", "files:read" }
 */
export function allowedScopes(granted: Iterable<string>, table: ScopeTable): ReadonlySet<string> {
  const allowed = new Set(granted);
  for (const scope of allowed) {
    const { implies = [] } = Object.hasOwn(table, scope) ? (table[scope] ?? {}) : {};
    for (const each of implies) allowed.add(each);
  }
  return allowed;
}
