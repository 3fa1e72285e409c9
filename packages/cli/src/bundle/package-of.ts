import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readJsonFile } from "../files/json-file.js";

/** As much of a package.json as is of interest here. */
export interface InstalledPackage {
  name: string;
  version?: string;
  /** Where its package.json is. */
  folder: string;
  /** What package.json says. */
  settings: Record<string, unknown>;
}

/** An import of a package, and the folder from which it is found. */
export interface PackageImport {
  specifier: string;
  from: string;
}

/** The package that a file belongs to: the nearest package.json that has a name. */
export function packageOf(file: string): InstalledPackage | undefined {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const settings = readJsonFile(path) as InstalledPackage["settings"];
    const { name, version } = settings;
    // Some packages have another without a name inside, which says "type" and nothing else.
    if (typeof name === "string")
      return { name, ...(typeof version === "string" && { version }), folder, settings };
  }
  return undefined;
}

/** `@scope/name` of `@scope/name/part.js`. */
export function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** The folder of a package in the nearest `node_modules` on the way up that holds it, be it as a link. */
export function installedFolder(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(folder)) return folder;
    if (dirname(at) === at) return undefined;
  }
}

/** Whether a source file belongs to another package of the same workspace, which finds packages of its own. */
export function isBeside(file: string, root: string): boolean {
  // Some package managers copy such packages into `node_modules`.
  return file.includes("/node_modules/") ? TYPESCRIPT.test(file) : relative(root, file).startsWith("..");
}

export const TYPESCRIPT = /\.[cm]?tsx?$/;
