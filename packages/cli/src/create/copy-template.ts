import { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ManagerSettings } from "./manager-settings.js";
import { DESCRIPTION_FILE } from "./templates.js";

/** What trying out a template in its own folder leaves there, and no copy gets. */
export const LEFT_BEHIND: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  ".tenon",
  "package-lock.json",
]);
/** npm does not publish files of these names, so templates carry them under others. */
const RENAMED: Record<string, string> = { _gitignore: ".gitignore" };

export interface NewPackage {
  name: string;
  /** Version or path of each of Tenon's own packages, by name. */
  tenon: Record<string, string>;
  /** What the package manager wants to be told. */
  settings?: ManagerSettings;
}

/** Copies a template into a folder, which is made if it does not exist, and fills in the package's name. */
export function copyTemplate(template: string, folder: string, newPackage: NewPackage): void {
  copyFolder(template, folder);
  const path = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as PackageJson;
  writeFileSync(path, `${JSON.stringify(fillIn(manifest, newPackage), null, 2)}\n`);
  for (const [name, text] of Object.entries(newPackage.settings?.files ?? {}))
    writeFileSync(join(folder, name), text);
  for (const line of newPackage.settings?.ignored ?? [])
    appendFileSync(join(folder, ".gitignore"), `${line}\n`);
  const readme = join(folder, "README.md");
  writeFileSync(
    readme,
    readFileSync(readme, "utf8").replace(/^# .*/, () => `# ${newPackage.name}`),
  );
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === DESCRIPTION_FILE || LEFT_BEHIND.has(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, RENAMED[entry.name] ?? entry.name);
    if (entry.isDirectory()) copyFolder(source, target);
    else copyFileSync(source, target);
  }
}

interface PackageJson {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  [field: string]: unknown;
}

function fillIn(manifest: PackageJson, { name, tenon, settings }: NewPackage): PackageJson {
  const wanted = (group: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(group).map(([each, range]) => [each, tenon[each] ?? range]));
  const devDependencies = wanted(manifest.devDependencies);
  // A package that is not in the registry has to be named by the project even where only another one needs it.
  for (const [each, range] of Object.entries(tenon)) {
    if (range.startsWith("file:") && !manifest.dependencies[each]) devDependencies[each] = range;
  }
  const sorted = Object.fromEntries(Object.entries(devDependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
  const dependencies = wanted(manifest.dependencies);
  return { ...manifest, name, dependencies, devDependencies: sorted, ...settings?.fields };
}
