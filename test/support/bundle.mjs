import { build } from "esbuild";

/**
 * Makes one self-contained module of a TypeScript entry, so that Node can run it.
 *
 * @param {string} entry
 * @param {string} outfile
 */
export async function bundle(entry, outfile) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: "error",
  });
}
