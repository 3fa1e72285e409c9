import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import { findPackage } from "./installed-packages.js";

/** Matches the paths of runtime modules that a server loads on demand. */
const DEFERRED = /(?:^|\/)(?:checks|node-server)(?:\.js)?$/;

/** Runtime modules that every server loads at startup: maps one export of each to its file. */
const STARTUP_MODULES = { createServer: "server.js", serve: "serve.js" };

/**
 * Creates the plugin that keeps all modules that a server loads at startup in one chunk. esbuild creates a chunk for each set of
 * modules that the same entries and deferred modules import. Therefore, each deferred module also imports all modules that are
 * loaded at startup. Otherwise, its dependencies would be in separate chunks, and each additional file delays startup by a
 * millisecond.
 */
export function startChunk(): Plugin {
  return {
    name: "tenon-start-chunk",
    setup(build) {
      build.onResolve({ filter: DEFERRED }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === OWN_RESOLUTION) return undefined;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: OWN_RESOLUTION });
        const isOwn = found.errors.length === 0 && findPackage(found.path)?.name === "@tenon/runtime";
        return isOwn && !found.external ? { path: found.path, namespace: NAMESPACE } : undefined;
      });
      build.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => {
        const folder = join(findPackage(path)?.folder ?? "", "dist");
        const started = Object.entries(STARTUP_MODULES).map(
          ([name, file]) => `export { ${name} } from ${JSON.stringify(join(folder, file))};\n`,
        );
        return {
          contents: `export * from ${JSON.stringify(path)};\n${started.join("")}`,
          resolveDir: dirname(path),
        };
      });
    },
  };
}

const NAMESPACE = "tenon-deferred";

/** Marks a resolution that this plugin started itself. */
const OWN_RESOLUTION = Symbol("resolution by start-chunk");
