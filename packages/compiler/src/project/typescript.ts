/**
 * The one TypeScript of the compiler, which ts-morph brings: another copy would know none of its nodes and types.
 *
 * @module
 */
export { ts } from "ts-morph";

/** Where ts-morph keeps TypeScript's own libraries (`lib.es2023.d.ts` and the like): a folder that is on no disk. */
export const libraryFolder = "/node_modules/typescript/lib";
