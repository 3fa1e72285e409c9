import { DIRECTORY_NAMES, type DirectoryName } from "@tenon/compiler/directories";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/** The value of `--directory` for every directory. */
const ALL = "all";

/**
 * Finds directories by name; `all` selects every directory.
 *
 * @throws Failure (exit code 2) with the nearest name
 */
export function findDirectories(names: readonly string[] = []): readonly DirectoryName[] {
  if (names.includes(ALL)) return DIRECTORY_NAMES;
  return names.map((text) => {
    const found = DIRECTORY_NAMES.find((name) => name === text);
    if (found) return found;
    throw createUnknownNameFailure("directory", text, [...DIRECTORY_NAMES, ALL], { exitCode: 2 });
  });
}
