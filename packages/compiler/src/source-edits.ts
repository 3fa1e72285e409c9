/** A change to a source file; offsets count UTF-16 units of the file as written, without a byte order mark. */
export interface SourceEdit {
  start: number;
  /** Exclusive; the same as `start` where text is only added. */
  end: number;
  text: string;
}

/** By file, relative to the project folder. */
export type SourceEdits = ReadonlyMap<string, readonly SourceEdit[]>;

/** The edits of several passes, none of which touches what another edits, in the order of their offsets. */
export function mergeEdits(...passes: readonly SourceEdits[]): SourceEdits {
  const files = new Set(passes.flatMap((edits) => [...edits.keys()]));
  return new Map(
    [...files].map((file) => {
      const inFile = passes.flatMap((edits) => edits.get(file) ?? []);
      return [file, inFile.sort((a, b) => a.start - b.start)];
    }),
  );
}
