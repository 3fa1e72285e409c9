import type { UnbuiltFile } from "../bundle/external-files.js";
import { formatList } from "../terminal/text-format.js";

/** Maximum number of files that a message names. */
const MAX_NAMED = 3;

/**
 * Describes the files next to sources that are not part of a build, in a sentence for each module that may read them.
 *
 * @example
 * describeUnbuilt([{ readBy: "src/main.ts", paths: ["src/worker.ts"], reason: "source" }])
 * // ["src/main.ts starts or reads src/worker.ts, which the build does not compile. Import it, or …"]
 */
export function describeUnbuilt(files: readonly UnbuiltFile[]): string[] {
  return files.map(({ readBy, paths, reason }) => {
    const isOne = paths.length === 1;
    switch (reason) {
      case "source": {
        const pronoun = isOne ? "it" : "them";
        return (
          `${readBy} starts or reads ${formatList(paths)}, which the build does not compile on its own. ` +
          `Import ${pronoun}, or write ${pronoun} in JavaScript, which is copied.`
        );
      }
      case "missing":
        return (
          `${readBy} names ${formatList(paths)}, which ${isOne ? "does" : "do"} not exist, ` +
          `so ${isOne ? "it is" : "they are"} not part of the build.`
        );
      case "unnamed":
        return (
          `${readBy} uses its own location, but does not name the files that it reads. Not copied: ${formatPaths(paths)}. ` +
          'If it reads them, name them or their folder in the source: `new URL("./data/", import.meta.url)`.'
        );
    }
  });
}

/** Lists the first paths, and counts the others. */
export function formatPaths(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED;
  const named = paths.slice(0, MAX_NAMED).join(", ");
  return more > 0 ? `${named}, and ${more} more` : named;
}
