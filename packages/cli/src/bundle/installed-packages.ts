import { dirname, join, relative } from "node:path";
import { findNearest } from "../files/find-nearest.js";
import { readJsonFile } from "../files/json-file.js";

/** The parts of a package.json that matter to bundling. */
export interface InstalledPackage {
  name: string;
  version?: string;
  /** The folder of its package.json. */
  folder: string;
  /** The content of package.json. */
  settings: Record<string, unknown>;
}

/** An import of a package, and the folder from which it is resolved. */
export interface PackageImport {
  specifier: string;
  from: string;
}

/** Finds the package of a file: the nearest package.json that has a name. */
export function findPackage(file: string): InstalledPackage | undefined {
  const path = findNearest("package.json", dirname(file));
  if (path === undefined) return undefined;
  const settings = readJsonFile(path) as InstalledPackage["settings"];
  const { name, version } = settings;
  const folder = dirname(path);
  // Some packages contain another package.json without a name, which only sets "type".
  if (typeof name !== "string") return dirname(folder) === folder ? undefined : findPackage(folder);
  return { name, ...(typeof version === "string" && { version }), folder, settings };
}

/** Returns the package in a specifier, such as `@scope/name` for `@scope/name/part.js`. */
export function getPackageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Finds a package, or a link to it, in the nearest `node_modules` folder that contains it. */
export function findInstalledFolder(name: string, from: string): string | undefined {
  return findNearest(join("node_modules", name), from);
}

/** Returns whether a source file belongs to another package of the same workspace, which has its own dependencies. */
export function isWorkspaceSource(file: string, root: string): boolean {
  // Some package managers copy such packages into `node_modules`.
  return file.includes("/node_modules/") ? TYPESCRIPT.test(file) : relative(root, file).startsWith("..");
}

/** Returns whether a file belongs to the project and is neither installed nor built. */
export function isProjectFile(file: string, root: string): boolean {
  const path = `/${relative(root, file).replaceAll("\\", "/")}`;
  return !/^\/(?:\.\.|dist)\/|\/node_modules\//.test(path);
}

/** Matches the names of TypeScript modules. */
export const TYPESCRIPT = /\.[cm]?tsx?$/;
