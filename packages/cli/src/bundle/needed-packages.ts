import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Metafile } from "esbuild";
import type { PackageChoice } from "./bundled-packages.js";
import { installedFolder, isBeside, type PackageImport, packageName, packageOf } from "./package-of.js";

/** An npm package that is not in the bundle. */
export interface NeededPackage {
  name: string;
  version?: string;
  /** Why it could not be bundled, such as "has native code". Absent where packages are not bundled anyway. */
  reason?: string;
}

/** Of modules that stand for packages which CommonJS requires and the bundle has not. */
export const REQUIRED = "tenon-required";

/** What a build imports from packages that are not in it. Each is found from where the one is that imports it. */
export function packageImports({ inputs, outputs }: Metafile, root: string): PackageImport[] {
  const left = new Set(Object.values(outputs).flatMap(({ imports }) => externals(imports)));
  const found = new Map<string, PackageImport>();
  for (const [path, { imports }] of Object.entries(inputs)) {
    if (path.startsWith(`${REQUIRED}:`)) {
      const specifier = path.slice(REQUIRED.length + 1);
      found.set(path, { specifier, from: join(root, "src") });
      continue;
    }
    const file = resolve(root, path);
    const from = isBeside(file, root) ? dirname(file) : join(root, "src");
    for (const specifier of externals(imports))
      if (left.has(specifier)) found.set(JSON.stringify([specifier, from]), { specifier, from });
  }
  return [...found.keys()].sort().map((key) => found.get(key) as PackageImport);
}

function externals(imports: readonly { path: string; external?: boolean }[]): string[] {
  return imports.flatMap(({ path, external }) =>
    external && /^[^./]/.test(path) && !isBuiltin(path) && !path.startsWith("file:") ? [path] : [],
  );
}

/** Without those that are not installed: who imports them can do without. */
export function neededPackages(
  metafile: Metafile,
  { reasons }: PackageChoice,
  root: string,
): NeededPackage[] {
  const needed = new Map<string, NeededPackage>();
  for (const { specifier, from } of packageImports(metafile, root)) {
    const name = packageName(specifier);
    const folder = installedFolder(name, from);
    if (folder === undefined || needed.has(name)) continue;
    const { version } = packageOf(join(folder, "package.json")) ?? {};
    // What a package beside this one has is not installed for this one.
    const other = installedFolder(name, root) === undefined ? packageOf(join(from, "x"))?.name : undefined;
    const missing = other && `add it to package.json: only ${other} has it`;
    const reason = [reasons.get(name), missing].filter(Boolean).join("; ");
    needed.set(name, { name, ...(version !== undefined && { version }), ...(reason !== "" && { reason }) });
  }
  return [...needed.values()];
}
