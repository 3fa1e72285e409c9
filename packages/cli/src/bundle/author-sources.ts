import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Insertion } from "@tenon/compiler";
import type { Loader, Plugin } from "esbuild";
import type { Insertions } from "./bundle.js";
import { within } from "./within.js";

const SOURCE = /\.[cm]?[jt]sx?$/;
const USE = /\bimport\.meta\.(url|filename|dirname)\b/g;

/**
 * Reads the author's modules with what the compiler adds to them, and gives each the location it would have had
 * if it were compiled on its own, so that `new URL("../data/cities.json", import.meta.url)` in
 * `src/cities/search.ts` still means what it says once everything is one file.
 */
export function authorSources(root: string, outDir: string, insertions: () => Insertions): Plugin {
  return {
    name: "tenon-author-sources",
    setup(build) {
      build.onLoad({ filter: within(root), namespace: "file" }, (args) => {
        const inProject = relative(root, args.path).replaceAll("\\", "/");
        if (!SOURCE.test(inProject) || inProject.includes("node_modules/")) return undefined;
        const added = insertions().get(inProject) ?? [];
        const source = readFileSync(args.path, "utf8");
        if (added.length === 0 && !source.includes("import.meta.")) return undefined;
        const place = relative(outDir, join(root, "dist", placeInDist(inProject))).replaceAll("\\", "/");
        return { contents: relocate(insert(source, added), place), loader: loaderOf(args.path) };
      });
    },
  };
}

/** Offsets count from the first character after a byte order mark, as TypeScript counts them. */
function insert(source: string, insertions: readonly Insertion[]): string {
  const text = source.replace(/^\uFEFF/, "");
  let result = "";
  let from = 0;
  for (const { offset, text: added, replaces = 0 } of insertions) {
    result += text.slice(from, offset) + added;
    from = offset + replaces;
  }
  return result + text.slice(from);
}

/** `src/a/b.ts` → `a/b.js`, as a plain compiler run from `src/` to `dist/` would have it. */
function placeInDist(path: string): string {
  return path.replace(/^src\//, "").replace(/\.([cm]?)[jt]sx?$/, ".$1js");
}

/** Everything is added to the start of a line that exists, so that line numbers stay. */
function relocate(source: string, place: string): string {
  const body = source.replaceAll(USE, "tenonLocation.$1");
  if (body === source) return source;
  const header =
    `import { fileURLToPath as tenonPath } from "node:url"; import { dirname as tenonFolder } from "node:path"; ` +
    `const tenonLocation = { url: new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href, ` +
    `get filename() { return tenonPath(this.url); }, get dirname() { return tenonFolder(this.filename); } }; `;
  const hashbang = /^#!.*\n/.exec(body)?.[0] ?? "";
  return hashbang + header + body.slice(hashbang.length);
}

function loaderOf(path: string): Loader {
  if (path.endsWith(".tsx")) return "tsx";
  if (path.endsWith(".jsx")) return "jsx";
  return /\.[cm]?ts$/.test(path) ? "ts" : "js";
}
