import { join, relative, resolve } from "node:path";
import type { FileTree } from "@tenon/compiler";
import type { Plugin } from "esbuild";
import { within } from "./within.js";

/** How generated modules import each other. */
const GENERATED = /^\.\/(?:app|validators)\.js$|^\.\/tenon\.manifest\.json$/;

/**
 * Lets esbuild read the generated modules as if they lay in `<root>/dist/`, where their relative imports
 * (`../src/weather.ts`) lead to the author's sources, without writing them there.
 *
 * esbuild asks of one import after the other, and each time waits for this thread, which has types to check. So it
 * is left to find by itself all that it can.
 */
export function generatedModules(root: string, current: () => FileTree): Plugin {
  const dist = join(root, "dist");
  const nameOf = (path: string): string | undefined => {
    const name = relative(dist, path).replaceAll("\\", "/");
    return current().has(name) ? name : undefined;
  };
  return {
    name: "tenon-generated-modules",
    setup(build) {
      build.onResolve({ filter: GENERATED }, ({ namespace, importer, path }) =>
        namespace === "file" && nameOf(importer) ? { path: resolve(dist, path) } : undefined,
      );
      build.onResolve({ filter: within(dist) }, (args) =>
        args.kind === "entry-point" ? { path: args.path } : undefined,
      );
      build.onLoad({ filter: within(dist), namespace: "file" }, (args) => {
        const name = nameOf(args.path);
        const contents = name === undefined ? undefined : current().get(name);
        if (name === undefined || contents === undefined) return undefined;
        return {
          contents: name.endsWith(".json") ? `export default ${standIn(name)};\n` : contents,
          loader: "js",
          // `dist/` need not exist. From its neighbour, the author's sources and packages are found all the same.
          resolveDir: join(root, "src"),
        };
      });
    },
  };
}

/**
 * Puts the generated JSON into the bundle. The bundler has seen a word in its place: it would take longer over the
 * manifest of a large server than over everything else, only to copy it.
 *
 * @param bundled one bundled file
 */
export function withJson(bundled: string, modules: FileTree): string {
  let text = bundled;
  for (const [name, contents] of modules) {
    if (name.endsWith(".json")) text = text.replace(standIn(name), () => jsonValue(contents));
  }
  return text;
}

function standIn(name: string): string {
  return `JSON.parse(${JSON.stringify(`<${name}>`)})`;
}

/** A module of JSON alone, for who does not bundle it. */
export function jsonModule(contents: string | Uint8Array): string {
  return `export default ${jsonValue(contents)};\n`;
}

/** JSON in a string: for a large manifest, Node reads it in half the time an object literal takes. */
function jsonValue(contents: string | Uint8Array): string {
  const text = typeof contents === "string" ? contents : Buffer.from(contents).toString("utf8");
  return `JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))})`;
}
