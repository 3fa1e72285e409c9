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
import { toClientName } from "@tenon/runtime/clients";
import type { AgentName } from "package-manager-detector";
import type { ManagerSettings } from "./manager-settings.js";
import { OWN_FOLDER } from "../files/own-folder.js";
import { replaceCommands } from "./package-manager.js";
import { DESCRIPTION_FILE } from "./templates.js";

/** Returns whether a file is left over from running the template in its own folder. Such files are not copied. */
export function isExcluded(name: string): boolean {
  return EXCLUDED_FILES.has(name) || /\.db(?:-\w+)?$/.test(name);
}

const EXCLUDED_FILES: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  OWN_FOLDER,
  ".env",
  "package-lock.json",
]);

/**
 * Names of template files that differ in a project. npm does not publish a `.gitignore`, and a `.tenon/` may be left over from
 * running the template. `_tenon/` contains the types of the server, so that an editor reports no errors in tests and views
 * before the first build.
 */
const RENAMED: Record<string, string> = { _gitignore: ".gitignore", _tenon: OWN_FOLDER };
/** Files that contain commands of the package manager. */
const FILES_WITH_COMMANDS = /\.(?:md|yml)$|^Dockerfile$|^tasks\.json$/;
/** Files with the name of the template's package: as the title, in commands and configurations, and in the URIs of views. */
const FILES_WITH_NAMES = ["README.md", "tenon.contract.json"];
/** The placeholder for a key in `.env.example`. */
const KEY_PLACEHOLDER = "replace-with-a-random-key";

/** The values to fill into the template of a new project. */
export interface NewPackage {
  name: string;
  /** The version or path of each Tenon package, by name. */
  tenon: Record<string, string>;
  /** The package manager. Default: npm. */
  manager?: AgentName;
  /** The settings for the package manager. */
  settings?: ManagerSettings;
}

/**
 * Copies template folders, one over the other, into a folder that is created if needed. Inserts the package name and the
 * commands of the package manager, and creates `.env` from `.env.example`.
 */
export function copyTemplate(templates: readonly string[], folder: string, newPackage: NewPackage): void {
  const { name, settings, manager = "npm" } = newPackage;
  for (const template of templates) copyFolder(template, folder, manager);
  const path = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as PackageJson;
  writeFileSync(path, `${JSON.stringify(fillIn(manifest, newPackage), null, 2)}\n`);
  for (const [file, text] of Object.entries(settings?.files ?? {})) writeFileSync(join(folder, file), text);
  for (const line of settings?.ignored ?? []) appendFileSync(join(folder, ".gitignore"), `${line}\n`);
  const serverName = toClientName(name) ?? manifest.name;
  for (const file of FILES_WITH_NAMES) {
    const text = readFileSync(join(folder, file), "utf8");
    const replace = (found: string): string => (found.startsWith("#") ? `# ${name}` : serverName);
    writeFileSync(join(folder, file), text.replaceAll(new RegExp(`(?:# )?${manifest.name}`, "g"), replace));
  }
  writeSettings(folder);
}

function copyFolder(from: string, to: string, manager: AgentName): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === DESCRIPTION_FILE || isExcluded(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, RENAMED[entry.name] ?? entry.name);
    if (entry.isDirectory()) copyFolder(source, target, manager);
    else if (FILES_WITH_COMMANDS.test(entry.name))
      writeFileSync(target, replaceCommands(readFileSync(source, "utf8"), manager));
    else copyFileSync(source, target);
  }
}

/** Writes `.env` from `.env.example`, with random keys. */
function writeSettings(folder: string): void {
  const sample = join(folder, ".env.example");
  if (!existsSync(sample)) return;
  const text = readFileSync(sample, "utf8").replaceAll(KEY_PLACEHOLDER, () =>
    randomBytes(24).toString("hex"),
  );
  writeFileSync(join(folder, ".env"), text, { mode: 0o600 });
}

interface PackageJson {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  [field: string]: unknown;
}

function fillIn(manifest: PackageJson, { name, tenon, settings }: NewPackage): PackageJson {
  const withRanges = (group: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(group).map(([each, range]) => [each, tenon[each] ?? range]));
  const devDependencies = withRanges(manifest.devDependencies);
  // The project must name packages that are not in the registry, even if only other packages need them.
  for (const [each, range] of Object.entries(tenon)) {
    if (range.startsWith("file:") && !manifest.dependencies[each]) devDependencies[each] = range;
  }
  const sorted = Object.fromEntries(Object.entries(devDependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
  const dependencies = withRanges(manifest.dependencies);
  return { ...manifest, name, dependencies, devDependencies: sorted, ...settings?.fields };
}
