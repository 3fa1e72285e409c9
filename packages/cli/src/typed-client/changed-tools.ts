import { pairByName } from "../compare/pair-by-name.js";

/** The tools and prompts in which two generated modules differ. The names of prompts follow `prompt`. */
export interface ChangedTools {
  readonly new: readonly string[];
  readonly removed: readonly string[];
  /** The tools whose arguments or results differ, and the prompts whose arguments or choices differ. */
  readonly changed: readonly string[];
}

/** Compares the fingerprints of tools and prompts in two versions of a generated client. */
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
  /** The fingerprints and choices, as they are written. */
  readonly types: string;
}

/** Reads the rows of a module's tables: the name, the kind of result or `prompt`, and the fingerprints. */
function readFingerprints(source: string): Fingerprint[] {
  const rows = [
    ...source.matchAll(/^\s*\[("(?:[^"\\]|\\.)*"),\s*"(content|object|value|prompt)",\s*("\w+".*)\],$/gm),
  ];
  return rows.map(([, name = '""', kind, types = ""]) => ({
    name: `${kind === "prompt" ? "prompt " : ""}${JSON.parse(name)}`,
    types,
  }));
}
