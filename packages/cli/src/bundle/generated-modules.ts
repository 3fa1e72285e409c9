import { join, relative, resolve } from "node:path";
import type { FileTree } from "@tenon/compiler";
import type { Plugin } from "esbuild";
import { folderFilter } from "./folder-filter.js";

/** How generated modules import each other. */
const GENERATED = /^\.\/(?:(?:app|application|validators)\.js|tenon\.manifest\.json)$/;

/** A generated module that imports nothing and is written as it is: bundling it would only cost time. */
export const VALIDATORS = "validators.js";

/**
 * Lets esbuild read the generated modules as if they lay in `<root>/dist/`, where their relative imports
 * (`../src/weather.ts`) lead to the author's sources, without writing them there.
 *
 * esbuild asks a plugin about one import after the other, and each time waits for this thread, which has types to
 * check. So it is left to find by itself all that it can.
 *
 * @param root the project folder, absolute
 * @param current the modules of the build at hand, relative to `dist/`
 * @param inlinesValidators everything becomes one file
 */
export function generatedModules(
  root: string,
  current: () => FileTree,
  { inlinesValidators = false } = {},
): Plugin {
  const dist = join(root, "dist");
  const nameOf = (path: string): string | undefined => {
    const name = relative(dist, path).replaceAll("\\", "/");
    return current().has(name) ? name : undefined;
  };
  return {
    name: "tenon-generated-modules",
    setup(build) {
      build.onResolve({ filter: GENERATED }, ({ namespace, importer, path }) => {
        if (namespace !== "file" || nameOf(importer) === undefined) return undefined;
        return path === `./${VALIDATORS}` && !inlinesValidators
          ? { path, external: true }
          : { path: resolve(dist, path) };
      });
      build.onResolve({ filter: folderFilter(dist) }, (args) =>
        args.kind === "entry-point" ? { path: args.path } : undefined,
      );
      build.onLoad({ filter: folderFilter(dist), namespace: "file" }, (args) => {
        const name = nameOf(args.path);
        const contents = name === undefined ? undefined : current().get(name);
        if (name === undefined || contents === undefined) return undefined;
        return {
          contents: name.endsWith(".json") ? jsonModule(contents) : contents,
          loader: "js",
          // `dist/` need not exist. From its neighbour, the author's sources and packages are found all the same.
          resolveDir: join(root, "src"),
        };
      });
    },
  };
}

/** A module whose default export is a JSON file's value, read from a string: an object literal takes Node twice as long. */
function jsonModule(contents: string | Uint8Array): string {
  const text = typeof contents === "string" ? contents : Buffer.from(contents).toString("utf8");
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});\n`;
}
