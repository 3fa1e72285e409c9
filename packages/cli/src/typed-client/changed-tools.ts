/** The tools in which two modules that were made differ. */
export interface ChangedTools {
  readonly new: readonly string[];
  readonly gone: readonly string[];
  /** They take or give something else. */
  readonly changed: readonly string[];
}

export function changedTools(before: string, after: string): ChangedTools {
  const [old, now] = [fingerprintsIn(before), fingerprintsIn(after)];
  return {
    new: [...now.keys()].filter((name) => !old.has(name)),
    gone: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, made]) => (old.has(name) && old.get(name) !== made ? [name] : [])),
  };
}

/** The rows of a module's table: name, whether the result is data, and what the types were made of. */
function fingerprintsIn(source: string): Map<string, string> {
  const rows = [...source.matchAll(/^\s*\[("(?:[^"\\]|\\.)*"),\s*(?:true|false),\s*("\w+")\],$/gm)];
  return new Map(rows.map(([, name = '""', made = '""']) => [JSON.parse(name) as string, made]));
}
