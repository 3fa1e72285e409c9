import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { build, type BuildFailure, type Metafile, type Plugin } from "esbuild";
import { findInstalledOnlyReason } from "./installed-only.js";
import { findPackage, type PackageImport, getPackageName } from "./installed-packages.js";
import { getConditions, OUTPUT } from "./output.js";

/** The choice of the npm packages to bundle. */
export interface PackageChoice {
  /** The names of packages that can be bundled, including their dependencies. */
  bundled: ReadonlySet<string>;
  /** The reasons why other packages cannot be bundled, by package name. */
  reasons: ReadonlyMap<string, string>;
}

/** The reason for a package that the bundler cannot process. */
export const CANNOT_BE_BUNDLED = "cannot be bundled";

/**
 * A package that adds globals, which other packages need when they load. Packages outside a bundle load before the
 * bundle, so the polyfill must also be outside if any package is.
 */
const POLYFILL = "reflect-metadata";

/**
 * Finds the packages that work in a bundle just as they work where they are installed. If that is uncertain, the package
 * is not bundled, and neither are the packages that it imports or that import it, so that only one copy of each exists.
 *
 * @param imports the imports of the server, such as `zod` and `date-fns/format`
 * @param root the project folder, absolute
 */
export async function choosePackages(
  imports: readonly PackageImport[],
  root: string,
): Promise<PackageChoice> {
  const reasons = new Map<string, string>();
  const metafile = await tryToBundle(imports, root, reasons);
  if (!metafile) return { bundled: new Set(), reasons };
  const names = new Set<string>();
  const dependencies: [name: string, other: string][] = [];
  const getName = (path: string): string | undefined => findPackage(resolve(root, path))?.name;
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    const name = path.startsWith("<") ? undefined : getName(path);
    if (name === undefined) continue;
    names.add(name);
    const reason = reasons.get(name) ?? (await findInstalledOnlyReason(resolve(root, path)));
    if (reason !== undefined) reasons.set(name, reason);
    for (const { path: imported, external } of imports) {
      if (external && isBuiltin(imported)) continue;
      const other = external ? getPackageName(imported) : getName(imported);
      if (other !== undefined && other !== name) dependencies.push([name, other]);
    }
  }
  for (let before = -1; before < reasons.size;) {
    before = reasons.size;
    for (const [name, other] of dependencies) {
      if (reasons.has(other) && !reasons.has(name)) reasons.set(name, `needs ${other}`);
      if (reasons.has(name) && !reasons.has(other)) reasons.set(other, `is needed by ${name}`);
    }
  }
  if (reasons.size > 0 && names.has(POLYFILL) && !reasons.has(POLYFILL))
    reasons.set(POLYFILL, "must be loaded before the others");
  return { bundled: new Set([...names].filter((name) => !reasons.has(name))), reasons };
}

/**
 * Bundles only the packages. If the bundler fails on some of them, excludes these and tries again.
 *
 * @param reasons receives the packages on which it fails
 * @returns the metafile, or undefined if the bundler fails for another reason
 */
async function tryToBundle(
  imports: readonly PackageImport[],
  root: string,
  reasons: Map<string, string>,
): Promise<Metafile | undefined> {
  const lines = imports.map(
    (_, index) => `import * as m${index} from "${IMPORT}${index}"; export { m${index} };`,
  );
  for (let before = -1; before < reasons.size;) {
    before = reasons.size;
    try {
      const { metafile } = await build({
        ...OUTPUT,
        absWorkingDir: root,
        stdin: { contents: lines.join("\n"), resolveDir: join(root, "src") },
        outdir: join(root, "dist"),
        splitting: false,
        sourcemap: false,
        metafile: true,
        conditions: getConditions(root, { bundlesPackages: true }),
        external: ["@tenon/runtime", ...reasons.keys()],
        plugins: [resolveFromImporters(imports)],
      });
      return metafile;
    } catch (error) {
      for (const { location } of (error as Partial<BuildFailure>).errors ?? []) {
        const name = location ? findPackage(resolve(root, location.file))?.name : undefined;
        if (name !== undefined) reasons.set(name, CANNOT_BE_BUNDLED);
      }
    }
  }
  return undefined;
}

const IMPORT = "tenon-import:";

/** Resolves each import from its importer, because packages of one workspace may use different versions of another. */
function resolveFromImporters(imports: readonly PackageImport[]): Plugin {
  return {
    name: "tenon-resolve-from-importers",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${IMPORT}`) }, async ({ path, kind, importer }) => {
        const { specifier, from } = imports[Number(path.slice(IMPORT.length))] as PackageImport;
        const found = await build.resolve(specifier, { kind, importer, resolveDir: from });
        return found.errors.length > 0 ? { path: specifier, external: true } : found;
      });
    },
  };
}
