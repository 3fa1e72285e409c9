import { isAbsolute, join, relative, resolve } from "node:path";
import type { FileTree } from "@tenon/compiler";
import type { Plugin } from "esbuild";

/**
 * Lets esbuild read the generated modules as if they lay in `<root>/dist/`, where their relative imports
 * (`../src/weather.ts`) lead to the author's sources, without writing them there.
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
      build.onResolve({ filter: /.*/ }, async (args) => {
        if (args.pluginData === FROM_GENERATED) return undefined;
        if (args.kind === "entry-point") return { path: args.path };
        if (args.namespace !== "file" || !nameOf(args.importer)) return undefined;
        const isPath = args.path.startsWith(".") || isAbsolute(args.path);
        const target = resolve(dist, args.path);
        if (isPath && nameOf(target)) return { path: target };
        // `dist/` need not exist, so the search starts one folder up.
        const specifier = isPath ? `./${relative(root, target).replaceAll("\\", "/")}` : args.path;
        return build.resolve(specifier, {
          kind: args.kind,
          importer: args.importer,
          resolveDir: root,
          pluginData: FROM_GENERATED,
        });
      });
      build.onLoad({ filter: /.*/, namespace: "file" }, (args) => {
        const name = nameOf(args.path);
        const contents = name === undefined ? undefined : current().get(name);
        if (name === undefined || contents === undefined) return undefined;
        return {
          contents: name.endsWith(".json") ? jsonModule(contents) : contents,
          loader: "js",
          resolveDir: root,
        };
      });
    },
  };
}

/** JSON in a string: for a large manifest, Node reads it in half the time an object literal takes. */
export function jsonModule(contents: string | Uint8Array): string {
  const text = typeof contents === "string" ? contents : Buffer.from(contents).toString("utf8");
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});\n`;
}

/** Marks a resolution this plugin asked for itself. */
const FROM_GENERATED = Symbol("from a generated module");
