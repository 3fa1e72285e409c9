import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { SourceEdit, SourceEdits } from "@tenon/compiler";
import { type Loader, type OnLoadResult, type Plugin } from "esbuild";
import { createFolderFilter } from "./folder-filter.js";
import { compileModule } from "./compile-module.js";
import { isProjectFile, TYPESCRIPT } from "./installed-packages.js";

/** Matches the names of modules that esbuild compiles. */
export const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * Creates the plugin that reads the author's modules with the compiler's edits. It gives each module a location, so that
 * `new URL("../data/cities.json", import.meta.url)` in `src/cities/search.ts` still finds the file when everything is one
 * module. If the build stays in the project, the location is that of the source. Otherwise, it is the path that a compiler
 * would write (`dist/cities/search.js`).
 *
 * @param root the project folder, absolute
 * @param outDir the folder that the bundle will be written to, absolute
 * @param staysInProject whether the bundle only runs inside the project
 * @param edits returns the compiler's edits for the current build
 */
export function authorSources(
  root: string,
  outDir: string,
  staysInProject: boolean,
  edits: () => SourceEdits,
): Plugin {
  return {
    name: "tenon-author-sources",
    setup({ onLoad, onResolve, initialOptions: { keepNames = false } }) {
      onResolve({ filter: new RegExp(`^${LOCATION_MODULE}:`) }, ({ path }) => ({
        path: path.slice(LOCATION_MODULE.length + 1),
        namespace: LOCATION_MODULE,
        sideEffects: false,
      }));
      onLoad({ filter: /^/, namespace: LOCATION_MODULE }, ({ path }) => ({
        contents: writeLocationModule(path),
      }));
      /** @param location the path that the module would have if it were compiled on its own, absolute */
      const load = (path: string, location: string): OnLoadResult | Promise<OnLoadResult> | undefined => {
        const moduleEdits = edits().get(relative(root, path).replaceAll("\\", "/")) ?? [];
        const source = readFileSync(path, "utf8");
        const isLocated = LOCATED.test(source);
        if (moduleEdits.length === 0 && !isLocated) return undefined;
        const module = { contents: applyEdits(source, moduleEdits), loader: getLoader(path) };
        if (!isLocated) return module;
        return withLocation(module, path, relative(outDir, location).replaceAll("\\", "/"), keepNames);
      };
      onLoad({ filter: createFolderFilter(root), namespace: "file" }, ({ path }) =>
        SOURCE.test(path) && isProjectFile(path, root)
          ? load(path, staysInProject ? path : join(root, "dist", toPathInDist(path, root)))
          : undefined,
      );
      // TypeScript sources of other workspace packages keep their own location.
      onLoad({ filter: TYPESCRIPT, namespace: "file" }, ({ path }) => load(path, path));
    },
  };
}

/** Returns a source with edits applied. Offsets start after a byte order mark, as in TypeScript. */
export function applyEdits(source: string, edits: readonly SourceEdit[]): string {
  const text = source.replace(/^\uFEFF/, "");
  let result = "";
  let from = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

/** Returns the path that a compiler from `src/` to `dist/` would write: `a/b.js` for `src/a/b.ts`. */
export function toPathInDist(path: string, root: string): string {
  const inProject = relative(root, path).replaceAll("\\", "/");
  return inProject.replace(/^src\//, "").replace(/\.([cm]?)[jt]sx?$/, ".$1js");
}

/** The expressions by which a module finds its location, and their replacements. */
const LOCATION = {
  "import.meta": "tenonLocation",
  __filename: "tenonLocation.filename",
  __dirname: "tenonLocation.dirname",
};
const LOCATED = /\bimport\.meta\b|\b__(?:dir|file)name\b/;

/**
 * Compiles a single module and replaces its location. Compiling is necessary because only a parser can distinguish `import.meta.url`
 * from the same characters in a string.
 *
 * @param path the path of the source, absolute
 * @param location the path that the module would have without a bundle, relative to the bundle
 */
async function withLocation(
  module: OnLoadResult,
  path: string,
  location: string,
  keepNames: boolean,
): Promise<OnLoadResult> {
  try {
    const { outputFiles, isEsModule } = await compileModule(path, module, {
      define: LOCATION,
      keepNames,
      sourcemap: "inline",
    });
    const text = outputFiles[0]?.text ?? "";
    const from = JSON.stringify(`${LOCATION_MODULE}:${location}`);
    // Adds the header to an existing line, so that line numbers do not change.
    const header = isEsModule
      ? `import { tenonLocation } from ${from}; `
      : `const { tenonLocation } = require(${from}); `;
    const hashbang = /^#!.*\n/.exec(text)?.[0] ?? "";
    return { contents: hashbang + header + text.slice(hashbang.length), loader: "js" };
  } catch {
    // The build reports the same errors with their locations.
    return module;
  }
}

const LOCATION_MODULE = "tenon-location";

/** Returns the source of a module that exports the location of another module. */
function writeLocationModule(location: string): string {
  const url = `./${location.split("/").map(encodeURIComponent).join("/")}`;
  return `import { fileURLToPath } from "node:url"; import { dirname } from "node:path";
export const tenonLocation = { url: new URL(${JSON.stringify(url)}, import.meta.url).href,
resolve(specifier) { return /^\\.\\.?\\//.test(specifier) ? new URL(specifier, tenonLocation.url).href : import.meta.resolve(specifier); },
get filename() { return fileURLToPath(this.url); }, get dirname() { return dirname(this.filename); } };`;
}

/** Returns the loader that esbuild uses for a module, by its extension. */
export function getLoader(path: string): Loader {
  if (path.endsWith(".tsx")) return "tsx";
  if (path.endsWith(".jsx")) return "jsx";
  return /\.[cm]?ts$/.test(path) ? "ts" : "js";
}
