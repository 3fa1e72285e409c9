/** A change to a source file. Offsets count UTF-16 code units of the original file, without a byte order mark. */
export interface SourceEdit {
  start: number;
  /** Exclusive. Equal to `start` if text is only added. */
  end: number;
  text: string;
}

/** Edits by path of the file, relative to the project folder. */
export type SourceEdits = ReadonlyMap<string, readonly SourceEdit[]>;

/**
 * Merges the edits of several passes in the order of their offsets. An edit within a range that another one replaces has
 * no effect; others must not overlap.
 */
export function mergeEdits(...passes: readonly SourceEdits[]): SourceEdits {
  const files = new Set(passes.flatMap((edits) => [...edits.keys()]));
  return new Map(
    [...files].map((file) => {
      const inFile = passes.flatMap((edits) => edits.get(file) ?? []);
      return [file, removeReplaced(inFile.sort((a, b) => a.start - b.start))];
    }),
  );
}

/** Removes the edits within a range that another one replaces. */
function removeReplaced(sorted: readonly SourceEdit[]): SourceEdit[] {
  let last: SourceEdit | undefined;
  return sorted.filter((edit) => {
    if (last && edit.start > last.start && edit.end <= last.end && edit.start < last.end) return false;
    last = edit;
    return true;
  });
}
