/** A change to a source file. Offsets count UTF-16 code units of the original file, without a byte order mark. */
export interface SourceEdit {
  start: number;
  /** Exclusive. Equal to `start` if text is only added. */
  end: number;
  text: string;
}

/** Edits by path of the file, relative to the project folder. */
export type SourceEdits = ReadonlyMap<string, readonly SourceEdit[]>;

/** Merges the edits of several passes, which must not overlap, in the order of their offsets. */
export function mergeEdits(...passes: readonly SourceEdits[]): SourceEdits {
  const files = new Set(passes.flatMap((edits) => [...edits.keys()]));
  return new Map(
    [...files].map((file) => {
      const inFile = passes.flatMap((edits) => edits.get(file) ?? []);
      return [file, inFile.sort((a, b) => a.start - b.start)];
    }),
  );
}
