import { isBuiltin } from "node:module";
import type { Plugin } from "esbuild";
import { pathToFileURL } from "node:url";
import { REQUIRED } from "./needed-packages.js";
import { installedFolder, isBeside, packageName, packageOf, TYPESCRIPT } from "./package-of.js";

/** What a built server carries inside, so that it starts without looking for it. */
const BUNDLED = /^(?:@tenon\/runtime(?:\/|$)|reflect-metadata\/lite$)/;

export interface NpmPackagesOptions {
  /** The project folder, absolute. */
  root: string;
  /**
   * The result runs where it is made: what a package beside the project imports is found by its path, since the project
   * itself may not have it, or another version.
   */
  inPlace?: boolean | undefined;
  /** Leaves Tenon's runtime where it is installed, too. */
  installedRuntime?: boolean | undefined;
  /** The names of packages to bundle in the build at hand. */
  bundled(): PackageNames;
}

/** Some npm packages, by name. */
export type PackageNames = Pick<ReadonlySet<string>, "has">;

/**
 * Leaves npm packages where they are installed, except Tenon's own runtime and those that are to be bundled. A package
 * that is TypeScript itself (a workspace neighbour without a build of its own) and an alias of tsconfig.json are bundled,
 * because Node could not load them.
 */
export function npmPackages(options: NpmPackagesOptions): Plugin {
  const { root, inPlace = false, installedRuntime = false, bundled } = options;
  return {
    name: "tenon-npm-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, async (args) => {
        if (args.namespace === REQUIRED) return { path: args.path, namespace: args.path };
        if (
          args.kind === "entry-point" ||
          args.pluginData === ASKED ||
          (!installedRuntime && BUNDLED.test(args.path))
        )
          return undefined;
        if (isBuiltin(args.path)) {
          return args.kind === "require-call"
            ? { path: args.path, namespace: BUILTIN }
            : { path: args.path, external: true };
        }
        const { resolveDir, importer, kind } = args;
        const found = await build.resolve(args.path, { kind, importer, resolveDir, pluginData: ASKED });
        if (found.errors.length > 0) {
          // Optional peers of the runtime are loaded only where they are installed.
          return packageOf(importer)?.name === "@tenon/runtime"
            ? { path: args.path, external: true }
            : undefined;
        }
        const isPackage = found.path.includes("/node_modules/") || isInstalled(args.path, resolveDir);
        const isBundled = (): boolean => bundled().has(packageOf(found.path)?.name ?? "");
        if (isPackage && !TYPESCRIPT.test(found.path) && !isBundled()) {
          const isByPath = inPlace && isBeside(importer, root);
          if (kind === "require-call")
            return { path: isByPath ? found.path : args.path, namespace: REQUIRED };
          return { path: isByPath ? pathToFileURL(found.path).href : args.path, external: true };
        }
        // Found by a plugin, a module would be read without its tsconfig.json, as if its decorators were standard ones.
        return undefined;
      });
      // An ES module has no `require`, which CommonJS asks for modules of Node and for packages.
      build.onLoad({ filter: /^/, namespace: BUILTIN }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
      build.onLoad({ filter: /^/, namespace: REQUIRED }, ({ path }) => ({
        contents: `module.exports = require("${REQUIRE}").require(${JSON.stringify(path)});`,
      }));
      build.onLoad({ filter: /^/, namespace: REQUIRE }, () => ({
        contents: `import { createRequire } from "node:module"; export const require = createRequire(import.meta.url);`,
      }));
    },
  };
}

/** Marks a resolution this plugin asked for itself. */
const ASKED = Symbol("asked by npm-packages");

const BUILTIN = "tenon-builtin";
const REQUIRE = "tenon-require";

function isInstalled(specifier: string, from: string): boolean {
  return installedFolder(packageName(specifier), from) !== undefined;
}
