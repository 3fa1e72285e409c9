import { isBuiltin } from "node:module";
import type { Plugin } from "esbuild";
import { pathToFileURL } from "node:url";
import { REQUIRED } from "./needed-packages.js";
import {
  findInstalledFolder,
  isWorkspaceSource,
  getPackageName,
  findPackage,
  TYPESCRIPT,
} from "./installed-packages.js";

/** Packages that each built server contains, so that it starts without searching for them. */
const BUNDLED = /^(?:@tenon\/runtime(?:\/|$)|reflect-metadata\/lite$)/;

/** The options of the plugin for npm packages. */
export interface NpmPackagesOptions {
  /** The project folder, absolute. */
  root: string;
  /**
   * Whether the result runs in the project folder. Imports of workspace packages are then resolved to paths, because the
   * project may not have the imported package, or may have a different version.
   */
  inPlace?: boolean | undefined;
  /** Whether to exclude Tenon's runtime, too. */
  installedRuntime?: boolean | undefined;
  /** Returns the names of the packages to bundle in the current build. */
  getBundled(): PackageNames;
}

/** A set of names of npm packages. */
export type PackageNames = Pick<ReadonlySet<string>, "has">;

/**
 * Creates the plugin that excludes npm packages from a bundle, except Tenon's runtime and the packages to bundle. Workspace
 * packages whose sources are TypeScript and aliases of tsconfig.json are always bundled, since Node cannot load them.
 */
export function npmPackages(options: NpmPackagesOptions): Plugin {
  const { root, inPlace = false, installedRuntime = false, getBundled } = options;
  return {
    name: "tenon-npm-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, async (args) => {
        if (args.namespace === REQUIRED) return { path: args.path, namespace: args.path };
        if (
          args.kind === "entry-point" ||
          args.pluginData === NESTED ||
          (!installedRuntime && BUNDLED.test(args.path))
        )
          return undefined;
        if (isBuiltin(args.path)) {
          return args.kind === "require-call"
            ? { path: args.path, namespace: BUILTIN }
            : { path: args.path, external: true };
        }
        const { resolveDir, importer, kind } = args;
        const found = await build.resolve(args.path, { kind, importer, resolveDir, pluginData: NESTED });
        if (found.errors.length > 0) {
          // Optional peers of the runtime are loaded only where they are installed.
          return findPackage(importer)?.name === "@tenon/runtime"
            ? { path: args.path, external: true }
            : undefined;
        }
        const isPackage = found.path.includes("/node_modules/") || isInstalled(args.path, resolveDir);
        const isBundled = (): boolean => getBundled().has(findPackage(found.path)?.name ?? "");
        if (isPackage && !TYPESCRIPT.test(found.path) && !isBundled()) {
          const isByPath = inPlace && isWorkspaceSource(importer, root);
          if (kind === "require-call")
            return { path: isByPath ? found.path : args.path, namespace: REQUIRED };
          return { path: isByPath ? pathToFileURL(found.path).href : args.path, external: true };
        }
        // esbuild ignores tsconfig.json for modules that a plugin resolves, and would treat legacy decorators as standard ones.
        return undefined;
      });
      // Bundled CommonJS code needs a replacement for `require`, which ES modules lack.
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

/** Marks a resolution that this plugin started itself. */
const NESTED = Symbol("resolution by npm-packages");

const BUILTIN = "tenon-builtin";
const REQUIRE = "tenon-require";

function isInstalled(specifier: string, from: string): boolean {
  return findInstalledFolder(getPackageName(specifier), from) !== undefined;
}
