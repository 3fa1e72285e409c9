/**
 * The TypeScript that ts-morph brings, so that every part of the compiler asks the same one.
 *
 * It is required, not imported: before an `import` of a CommonJS package, Node reads all of its source for the
 * names it exports, and for nine megabytes of compiler that takes longer than running them.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import typescript = require("../../typescript/index.cjs");

export import ts = typescript;

/** Where TypeScript's own libraries (`lib.es2023.d.ts` and the like) are, with forward slashes. */
export const libraryFolder = fileURLToPath(new URL("../../dist/lib", import.meta.url)).replaceAll("\\", "/");
