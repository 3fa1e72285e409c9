import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";

/** What a built server carries inside, so that it starts without looking for it. */
const BUNDLED = /^(?:@tenon\/runtime|reflect-metadata)(?:\/|$)/;
const TYPESCRIPT = /\.[cm]?tsx?$/;

/**
 * Leaves npm packages where they are installed, except Tenon's own runtime. A package that is TypeScript
 * itself (a workspace neighbour without a build of its own) and an alias of tsconfig.json are bundled, because
 * Node could not load them.
 *
 * @param installedRuntime leaves the runtime where it is installed, too
 */
export function npmPackages(installedRuntime = false): Plugin {
  return {
    name: "tenon-npm-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, async (args) => {
        if (
          args.kind === "entry-point" ||
          args.pluginData === ASKED ||
          (!installedRuntime && BUNDLED.test(args.path))
        )
          return undefined;
        if (isBuiltin(args.path)) return { path: args.path, external: true };
        const { resolveDir, importer, kind } = args;
        const found = await build.resolve(args.path, { kind, importer, resolveDir, pluginData: ASKED });
        if (found.errors.length > 0) {
          // Optional peers of the runtime are loaded only where they are installed.
          return packageOf(importer) === "@tenon/runtime" ? { path: args.path, external: true } : undefined;
        }
        const isPackage = found.path.includes("/node_modules/") || isInstalled(args.path, resolveDir);
        if (isPackage && !TYPESCRIPT.test(found.path)) return { path: args.path, external: true };
        return found;
      });
    },
  };
}

/** Marks a resolution this plugin asked for itself. */
const ASKED = Symbol("asked by npm-packages");

/** True when a folder `node_modules` on the way up holds the package, be it as a link. */
function isInstalled(specifier: string, from: string): boolean {
  const [scope = "", name = ""] = specifier.split("/");
  const folder = specifier.startsWith("@") ? `${scope}/${name}` : scope;
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, "node_modules", folder))) return true;
    if (dirname(at) === at) return false;
  }
}

/** The name of the package a file belongs to. */
function packageOf(file: string): string | undefined {
  for (let at = dirname(file); dirname(at) !== at; at = dirname(at)) {
    const path = join(at, "package.json");
    if (existsSync(path)) return (JSON.parse(readFileSync(path, "utf8")) as { name?: string }).name;
  }
  return undefined;
}
