import { readFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * What to know of sources that find files by their own place, which a package has at another place, or not at all.
 *
 * @param sources the files of a bundle, absolute
 * @param advice what to do about it
 */
export function locatedNotes(sources: ReadonlyMap<string, unknown>, root: string, advice: string): string[] {
  const located = [...sources.keys()].filter(
    (path) => isOwn(path, root) && /\bimport\.meta\.(?:url|filename|dirname)\b/.test(textOf(path)),
  );
  if (located.length === 0) return [];
  const names = located.map((path) => relative(root, path).replaceAll("\\", "/"));
  const [verb, pronoun] = names.length === 1 ? ["finds", "its"] : ["find", "their"];
  return [`${names.join(", ")} ${verb} files by ${pronoun} own place (import.meta). ${advice}`];
}

/** True of the author's own files. */
export function isOwn(path: string, root: string): boolean {
  const inside = relative(root, path).replaceAll("\\", "/");
  return !inside.startsWith("..") && !`/${inside}`.includes("/node_modules/") && !inside.startsWith("dist/");
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A generated module is in no file.
    return "";
  }
}
