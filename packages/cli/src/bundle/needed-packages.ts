import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import type { PackageChoice } from "./bundled-packages.js";
import { installedFolder, packageName, packageOf } from "./package-of.js";

/** An npm package that is not in the bundle. */
export interface NeededPackage {
  name: string;
  version?: string;
  /** Why it could not be bundled, such as "has native code". Absent where packages are not bundled anyway. */
  reason?: string;
}

/** What a build imports from packages that are not in it. */
export function packagesIn({ outputs }: Metafile): string[] {
  const imported = Object.values(outputs).flatMap(({ imports }) => imports);
  const names = imported.flatMap(({ path, external }) =>
    external && !isBuiltin(path) && !path.startsWith(".") ? [path] : [],
  );
  return [...new Set(names)].sort();
}

/** Without those that are not installed: who imports them can do without. */
export function neededPackages(
  metafile: Metafile,
  { reasons }: PackageChoice,
  root: string,
): NeededPackage[] {
  const names = new Set(packagesIn(metafile).map(packageName));
  return [...names].flatMap((name) => {
    const folder = installedFolder(name, root);
    if (folder === undefined) return [];
    const { version } = packageOf(join(folder, "package.json")) ?? {};
    const reason = reasons.get(name);
    return [{ name, ...(version !== undefined && { version }), ...(reason !== undefined && { reason }) }];
  });
}
