import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { SourceEdit, SourceEdits } from "@tenon/compiler";
import { type Loader, type OnLoadResult, type Plugin } from "esbuild";
import { folderFilter } from "./folder-filter.js";
import { compileModule } from "./compile-module.js";
import { TYPESCRIPT } from "./package-of.js";

const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * Reads the author's modules with what the compiler changes in them, and gives each the location it would have had
 * if it were compiled on its own, so that `new URL("../data/cities.json", import.meta.url)` in
 * `src/cities/search.ts` still means what it says once everything is one file.
 *
 * @param root the project folder, absolute
 * @param outDir where the bundle will be written, absolute
 * @param edits what the compiler wants changed in the build at hand
 */
export function authorSources(root: string, outDir: string, edits: () => SourceEdits): Plugin {
  return {
    name: "tenon-author-sources",
    setup({ onLoad, onResolve, initialOptions: { keepNames = false } }) {
      onResolve({ filter: new RegExp(`^${PLACE}:`) }, ({ path }) => ({
        path: path.slice(PLACE.length + 1),
        namespace: PLACE,
        sideEffects: false,
      }));
      onLoad({ filter: /^/, namespace: PLACE }, ({ path }) => ({ contents: locationModule(path) }));
      onLoad({ filter: folderFilter(root), namespace: "file" }, ({ path }) => {
        const inProject = relative(root, path).replaceAll("\\", "/");
        if (!SOURCE.test(inProject) || inProject.includes("node_modules/")) return undefined;
        const inFile = edits().get(inProject) ?? [];
        const source = readFileSync(path, "utf8");
        const isLocated = LOCATED.test(source);
        if (inFile.length === 0 && !isLocated) return undefined;
        const module = { contents: editedSource(source, inFile), loader: loaderOf(path) };
        if (!isLocated) return module;
        const place = relative(outDir, join(root, "dist", placeInDist(inProject)));
        return withLocation(module, path, { place: place.replaceAll("\\", "/"), keepNames });
      });
      // Packages of the same workspace that are TypeScript themselves: where they lie, their files are.
      onLoad({ filter: TYPESCRIPT, namespace: "file" }, ({ path }) => {
        const inFile = edits().get(relative(root, path).replaceAll("\\", "/")) ?? [];
        const source = readFileSync(path, "utf8");
        const isLocated = LOCATED.test(source);
        if (inFile.length === 0 && !isLocated) return undefined;
        const module = { contents: editedSource(source, inFile), loader: loaderOf(path) };
        if (!isLocated) return module;
        const place = relative(outDir, path).replaceAll("\\", "/");
        return withLocation(module, path, { place, keepNames });
      });
    },
  };
}

/** Offsets count from the first character after a byte order mark, as TypeScript counts them. */
export function editedSource(source: string, edits: readonly SourceEdit[]): string {
  const text = source.replace(/^\uFEFF/, "");
  let result = "";
  let from = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

/** `src/a/b.ts` → `a/b.js`, as a plain compiler run from `src/` to `dist/` would have it. */
function placeInDist(path: string): string {
  return path.replace(/^src\//, "").replace(/\.([cm]?)[jt]sx?$/, ".$1js");
}

/** What a module can ask for its location, and what it is told instead. */
const LOCATION = {
  "import.meta.url": "tenonLocation.url",
  "import.meta.filename": "tenonLocation.filename",
  "import.meta.dirname": "tenonLocation.dirname",
  __filename: "tenonLocation.filename",
  __dirname: "tenonLocation.dirname",
};
const LOCATED = /\bimport\.meta\.|\b__(?:dir|file)name\b/;
/** TypeScript that can be CommonJS alone. */
const EXPORTS_ONE = /^\s*export\s*=/m;

/**
 * Compiles a module by itself with another location: only a parser tells `import.meta.url` from the same characters
 * in a string.
 *
 * @param path of the source, absolute
 * @param options `place`: where the module would be without a bundle, relative to the bundle
 */
async function withLocation(
  module: OnLoadResult,
  path: string,
  { place, keepNames }: { place: string; keepNames: boolean },
): Promise<OnLoadResult> {
  const isCommonJs = EXPORTS_ONE.test(String(module.contents));
  const format = isCommonJs ? "cjs" : "esm";
  try {
    const [output] = await compileModule(path, module, {
      define: LOCATION,
      format,
      keepNames,
      sourcemap: "inline",
    });
    const text = output?.text ?? "";
    const from = JSON.stringify(`${PLACE}:${place}`);
    // Everything is added to the start of a line that exists, so that line numbers stay.
    const header = isCommonJs
      ? `const { tenonLocation } = require(${from}); `
      : `import { tenonLocation } from ${from}; `;
    const hashbang = /^#!.*\n/.exec(text)?.[0] ?? "";
    return { contents: hashbang + header + text.slice(hashbang.length), loader: "js" };
  } catch {
    // The build that asked finds the same faults, and says where they are.
    return module;
  }
}

const PLACE = "tenon-place";

/** A module that says where another would be. */
function locationModule(place: string): string {
  return `import { fileURLToPath } from "node:url"; import { dirname } from "node:path";
export const tenonLocation = { url: new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href,
get filename() { return fileURLToPath(this.url); }, get dirname() { return dirname(this.filename); } };`;
}

/** How esbuild reads a module, by its extension. */
export function loaderOf(path: string): Loader {
  if (path.endsWith(".tsx")) return "tsx";
  if (path.endsWith(".jsx")) return "jsx";
  return /\.[cm]?ts$/.test(path) ? "ts" : "js";
}
