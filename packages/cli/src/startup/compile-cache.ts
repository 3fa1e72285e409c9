import Module from "node:module";

/** What the types of the oldest supported Node do not know. */
interface CompileCacheModule {
  enableCompileCache?(): unknown;
}

/**
 * Lets Node keep V8's compiled code of TypeScript for the next run, where it can (from Node 22.8 on). Saves 0.14 of
 * 0.92 seconds of processor time of `tenon inspect` in a small project (Node 24).
 */
export function enableCompileCache(): void {
  (Module as unknown as CompileCacheModule).enableCompileCache?.();
}
