import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Metafile } from "esbuild";
import type { PackageChoice } from "./bundled-packages.js";
import {
  findInstalledFolder,
  findPackage,
  isWorkspaceSource,
  type PackageImport,
  getPackageName,
} from "./installed-packages.js";

/** An npm package that a build imports but does not contain. */
export interface NeededPackage {
  name: string;
  version?: string;
  /** Why it could not be bundled, such as "has native code". Absent if the build bundles no packages. */
  reason?: string;
}

/** The namespace of modules that represent packages required by CommonJS code and missing from the bundle. */
export const REQUIRED = "tenon-required";

/** Returns the imports of packages that a build does not contain, each with the folder of its importer. */
export function findPackageImports({ inputs, outputs }: Metafile, root: string): PackageImport[] {
  const imported = new Set(Object.values(outputs).flatMap(({ imports }) => getPackageSpecifiers(imports)));
  const found = new Map<string, PackageImport>();
  const add = (specifier: string, from: string): void =>
    void found.set(JSON.stringify([specifier, from]), { specifier, from });
  for (const [path, { imports }] of Object.entries(inputs)) {
    if (path.startsWith(`${REQUIRED}:`)) {
      add(path.slice(REQUIRED.length + 1), join(root, "src"));
      continue;
    }
    const file = resolve(root, path);
    const from = isWorkspaceSource(file, root) ? dirname(file) : join(root, "src");
    for (const specifier of getPackageSpecifiers(imports)) if (imported.has(specifier)) add(specifier, from);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function getPackageSpecifiers(imports: readonly { path: string; external?: boolean }[]): string[] {
  return imports.flatMap(({ path, external }) =>
    external && /^[^./]/.test(path) && !isBuiltin(path) && !path.startsWith("file:") ? [path] : [],
  );
}

/** Lists the packages that a build needs. Omits packages that are not installed, since their importers work without them. */
export function listNeededPackages(
  metafile: Metafile,
  { reasons }: PackageChoice,
  root: string,
): NeededPackage[] {
  const needed = new Map<string, NeededPackage>();
  for (const { specifier, from } of findPackageImports(metafile, root)) {
    const name = getPackageName(specifier);
    const folder = findInstalledFolder(name, from);
    if (folder === undefined || needed.has(name)) continue;
    const version = findPackage(join(folder, "package.json"))?.version;
    // A dependency of another workspace package may not be installed for this project.
    const owner =
      findInstalledFolder(name, root) === undefined ? findPackage(join(from, "x"))?.name : undefined;
    const missing = owner && `add it to package.json, because only ${owner} depends on it`;
    const reason = [reasons.get(name), missing].filter(Boolean).join("; ");
    needed.set(name, { name, ...(version !== undefined && { version }), ...(reason !== "" && { reason }) });
  }
  return [...needed.values()];
}
