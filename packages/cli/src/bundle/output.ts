import { readCustomConditions } from "@tenon/compiler";
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
  return [...readCustomConditions(root), ...(bundlesPackages ? ["module"] : [])];
}
