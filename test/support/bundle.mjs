import { dirname } from "node:path";
import { build } from "esbuild";
import { EMITTED, readEmitted, resolveFromEmitted } from "./emitted-modules.mjs";

/** Lets esbuild import `emitted:` modules. @type {import("esbuild").Plugin} */
const emittedModules = {
  name: "emitted-modules",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: new RegExp(`^${EMITTED}`) }, ({ path }) => ({
      path: path.slice(EMITTED.length),
      namespace: "emitted",
    }));
    onResolve({ filter: /^/, namespace: "emitted" }, ({ path, importer, kind }) => {
      const found = resolveFromEmitted(path, importer);
      if ("emitted" in found) return { path: found.emitted, namespace: "emitted" };
      if ("file" in found) return { path: found.file };
      return resolve(found.bare, { resolveDir: dirname(found.from), kind });
    });
    onLoad({ filter: /^/, namespace: "emitted" }, async ({ path }) => ({
      contents: await readEmitted(path),
      loader: path.endsWith(".json") ? "json" : "js",
    }));
  },
};

/**
 * Makes one self-contained module of a TypeScript entry, so that Node can run it.
 *
 * @param {string} entry
 * @param {string} outfile
 * @returns {Promise<string[]>} the files that are in it
 */
export async function bundle(entry, outfile) {
  const { metafile } = await build({
    metafile: true,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [emittedModules],
    logLevel: "error",
  });
  return Object.keys(metafile.inputs);
}
