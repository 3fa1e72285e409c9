import { pairByName } from "../compare/pair-by-name.js";

/** The tools in which two generated modules differ. */
export interface ChangedTools {
  readonly new: readonly string[];
  readonly removed: readonly string[];
  /** The tools whose arguments or results differ. */
  readonly changed: readonly string[];
}

/** Compares the fingerprints of tools in two versions of a generated client. */
export function findChangedTools(before: string, after: string): ChangedTools {
  const pairs = pairByName(readFingerprints(before), readFingerprints(after), ({ name }) => name);
  return {
    new: pairs.flatMap(({ name, before }) => (before ? [] : [name])),
    removed: pairs.flatMap(({ name, after }) => (after ? [] : [name])),
    changed: pairs.flatMap(({ name, before, after }) =>
      before && after && before.types !== after.types ? [name] : [],
    ),
  };
}

interface Fingerprint {
  readonly name: string;
  /** The fingerprint of the types of arguments and results. */
  readonly types: string;
}

/** Reads the rows of a module's table: the name, what the tool returns, and the first fingerprint of its types. */
function readFingerprints(source: string): Fingerprint[] {
  const rows = [
    ...source.matchAll(/^\s*\[("(?:[^"\\]|\\.)*"),\s*"(?:content|object|value)",\s*("\w+")[^\]]*\],$/gm),
  ];
  return rows.map(([, name = '""', types = '""']) => ({ name: JSON.parse(name) as string, types }));
}
