import Module from "node:module";

/** The part of `node:module` that the types of the oldest supported Node lack. */
interface CompileCacheModule {
  enableCompileCache?(): unknown;
}

/**
 * Caches V8's compiled code of TypeScript for the next run (Node 22.8 and later). Saves 0.14 of 0.92 seconds of
 * processor time of `tenon inspect` in a small project (Node 24).
 */
export function enableCompileCache(): void {
  (Module as unknown as CompileCacheModule).enableCompileCache?.();
}
