/**
 * The TypeScript that ts-morph brings, so that every part of the compiler asks the same one.
 *
 * It is required, not imported: before an `import` of a CommonJS package, Node reads all of its source for the
 * names it exports, and for twelve megabytes of compiler that takes longer than running them.
 *
 * @module
 */
import common = require("@ts-morph/common");
import morph = require("ts-morph");

export import ts = morph.ts;

/** Where TypeScript is told that its own libraries are; there is no such folder. */
export const libraryFolder = common.libFolderInMemoryPath;

/** The text of each of TypeScript's own libraries (`lib.es2023.d.ts` and the like), by path. */
export function libraryFiles(): ReadonlyMap<string, string> {
  return new Map(common.getLibFiles().map(({ fileName, text }) => [`${libraryFolder}/${fileName}`, text]));
}
