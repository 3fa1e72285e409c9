import { join, relative, resolve } from "node:path";
import type { FileTree } from "@tenon/compiler";
import type { Plugin } from "esbuild";
import { createFolderFilter } from "./folder-filter.js";

/** Matches the specifiers that generated modules use to import each other. */
const GENERATED =
  /^\.\/(?:(?:app|application|validators-\w+|view-[\w.-]+|skill-\w+)\.js|tenon\.manifest\.json)$/;

/** Matches the names of generated modules that import nothing. They are not bundled, because bundling them would only take time. */
export const UNBUNDLED = /^(?:validators-\w+|view-[\w.-]+|skill-\w+)\.js$/;

/** Matches the names of modules with the HTML of views and the files of skills. */
export const VIEWS_AND_SKILLS = /^(?:view-[\w.-]+|skill-\w+)\.js$/;

/**
 * Creates the plugin that provides the generated modules as if they were in `<root>/dist/`, without writing them there. Their
 * relative imports (`../src/weather.ts`) then resolve to the author's sources.
 *
 * The filters are narrow: for each import that a plugin handles, esbuild waits for this thread, which also checks types.
 *
 * @param root the project folder, absolute
 * @param current returns the modules of the current build, relative to `dist/`
 * @param unbundled matches the names of modules that stay separate files
 */
export function generatedModules(
  root: string,
  current: () => FileTree,
  unbundled: RegExp | undefined,
): Plugin {
  const dist = join(root, "dist");
  const getName = (path: string): string | undefined => {
    const name = relative(dist, path).replaceAll("\\", "/");
    return current().has(name) ? name : undefined;
  };
  return {
    name: "tenon-generated-modules",
    setup(build) {
      build.onResolve({ filter: GENERATED }, ({ namespace, importer, path }) => {
        if (namespace !== "file" || getName(importer) === undefined) return undefined;
        return unbundled?.test(path.slice(2)) ? { path, external: true } : { path: resolve(dist, path) };
      });
      build.onResolve({ filter: /^\.\/dist\// }, ({ kind, path }) =>
        kind === "entry-point" ? { path: resolve(root, path) } : undefined,
      );
      build.onLoad({ filter: createFolderFilter(dist), namespace: "file" }, (args) => {
        const name = getName(args.path);
        const contents = name === undefined ? undefined : current().get(name);
        if (name === undefined || contents === undefined) return undefined;
        return {
          contents: name.endsWith(".json") ? writeJsonModule(contents) : contents,
          loader: "js",
          // `dist/` may not exist. Imports resolve to the same sources and packages from `src/`.
          resolveDir: join(root, "src"),
        };
      });
    },
  };
}

/** Returns a module that exports the value of a JSON file. It parses a string, which Node loads twice as fast as a literal. */
function writeJsonModule(contents: string | Uint8Array): string {
  const text = typeof contents === "string" ? contents : Buffer.from(contents).toString("utf8");
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});\n`;
}
