import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { AgentName } from "package-manager-detector";
import type { ManagerSettings } from "./manager-settings.js";
import { commandsOf } from "./package-manager.js";
import { DESCRIPTION_FILE } from "./templates.js";

/** Whether it is something that trying out a template in its own folder leaves there, and no copy gets. */
export function isLeftBehind(name: string): boolean {
  return LEFT_BEHIND.has(name) || /\.db(?:-\w+)?$/.test(name);
}
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  ".tenon",
  ".env",
  "package-lock.json",
]);
/** npm does not publish files of these names, so templates carry them under others. */
const RENAMED: Record<string, string> = { _gitignore: ".gitignore" };
/** Texts that name commands of the package manager. */
const NAMES_COMMANDS = /\.(?:md|yml)$|^Dockerfile$/;
/** In a sample of settings, where a key is to stand. */
const KEY_PLACE = "replace-with-a-random-key";

export interface NewPackage {
  name: string;
  /** Version or path of each of Tenon's own packages, by name. */
  tenon: Record<string, string>;
  /** Which installs; default npm. */
  manager?: AgentName;
  /** What the package manager wants to be told. */
  settings?: ManagerSettings;
}

/**
 * Copies folders, one over the other, into one that is made if it does not exist, fills in the package's name and the
 * commands of its package manager, and makes settings of the sample of settings.
 */
export function copyTemplate(templates: readonly string[], folder: string, newPackage: NewPackage): void {
  const { name, settings, manager = "npm" } = newPackage;
  for (const template of templates) copyFolder(template, folder, manager);
  const path = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as PackageJson;
  writeFileSync(path, `${JSON.stringify(fillIn(manifest, newPackage), null, 2)}\n`);
  for (const [file, text] of Object.entries(settings?.files ?? {})) writeFileSync(join(folder, file), text);
  for (const line of settings?.ignored ?? []) appendFileSync(join(folder, ".gitignore"), `${line}\n`);
  const readme = join(folder, "README.md");
  writeFileSync(
    readme,
    readFileSync(readme, "utf8").replace(/^# .*/, () => `# ${name}`),
  );
  writeSettings(folder);
}

function copyFolder(from: string, to: string, manager: AgentName): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === DESCRIPTION_FILE || isLeftBehind(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, RENAMED[entry.name] ?? entry.name);
    if (entry.isDirectory()) copyFolder(source, target, manager);
    else if (NAMES_COMMANDS.test(entry.name))
      writeFileSync(target, commandsOf(readFileSync(source, "utf8"), manager));
    else copyFileSync(source, target);
  }
}

/** What a developer's machine needs, with keys that nobody else has; the sample is for others to see. */
function writeSettings(folder: string): void {
  const sample = join(folder, ".env.example");
  if (!existsSync(sample)) return;
  const text = readFileSync(sample, "utf8").replaceAll(KEY_PLACE, () => randomBytes(24).toString("hex"));
  writeFileSync(join(folder, ".env"), text, { mode: 0o600 });
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
