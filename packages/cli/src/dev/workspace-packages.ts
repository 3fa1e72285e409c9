import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findInstalledFolder } from "../bundle/installed-packages.js";
import { findNearest } from "../files/find-nearest.js";
import { isInside } from "../files/is-inside.js";
import { readJsonFile } from "../files/json-file.js";

/** The watched parts of another package of the workspace. */
export interface WorkspacePackage {
  /** The folder of its package.json. */
  folder: string;
  /** Absolute paths of its sources, or, if it has its own build, of its published files. */
  followed: string[];
}

/**
 * Finds what to watch in other packages: for each package from which TypeScript has read files, their folders; for a built
 * package and its linked dependencies, the files that package.json names, since JavaScript may change without its types.
 *
 * @param files the files that were read, as absolute paths without symbolic links
 * @param root the project folder, absolute
 */
export function findWorkspacePackages(files: readonly string[], root: string): WorkspacePackage[] {
  const found = new Map<string, Set<string>>();
  const follow = (folder: string, path: string): void => {
    const target = findWatchedPart(folder, path, root);
    if (target === undefined) return;
    const followed = found.get(folder) ?? new Set();
    found.set(folder, followed.add(target));
  };
  const followBuilt = (folder: string): void => {
    for (const path of listPublishedPaths(folder)) follow(folder, path);
  };
  for (const file of files) {
    const path = resolve(file);
    const folder = dirname(findNearest("package.json", dirname(path)) ?? path);
    follow(folder, path);
    if (DECLARATIONS.test(path) && !isInside(root, folder)) followBuilt(folder);
  }
  const followLinked = (from: string): void => {
    for (const folder of findLinkedPackages(from, root)) if (!found.has(folder)) followBuilt(folder);
  };
  followLinked(root);
  // Iterating a map includes entries that are added meanwhile.
  for (const folder of found.keys()) followLinked(folder);
  return [...found].map(([folder, followed]) => ({ folder, followed: [...followed].sort() }));
}

const DECLARATIONS = /\.d\.[cm]?ts$/;

/** Returns the top folder of a file in its package that does not contain the project, usually `src`. */
function findWatchedPart(folder: string, path: string, root: string): string | undefined {
  if (!isInside(path, folder) || isInside(path, root)) return undefined;
  let part = folder;
  for (const name of relative(folder, path).split(sep)) {
    if (name === "node_modules") return undefined;
    part = join(part, name);
    if (!isInside(root, part)) return part;
  }
  return undefined;
}

/** Returns the paths of modules and files in package.json. */
function listPublishedPaths(folder: string): string[] {
  const { main, module, exports, files } = readPackage(folder);
  return findStrings([main ?? "index.js", module, exports, files])
    .map((path) => resolve(folder, path.split("*", 1)[0] ?? ""))
    .filter((path) => path !== folder);
}

function findStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(findStrings) : [];
}

/** Returns the folders of linked dependencies. */
function findLinkedPackages(folder: string, root: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = readPackage(folder);
  const names = [dependencies, optionalDependencies, peerDependencies].flatMap((each) =>
    Object.keys((each ?? {}) as object),
  );
  return names.flatMap((name) => {
    const installed = name === RUNTIME ? undefined : findInstalledFolder(name, folder);
    const linked = installed === undefined ? root : realpathSync(installed);
    return linked.split(sep).includes("node_modules") || isInside(root, linked) ? [] : [linked];
  });
}

const RUNTIME = "@tenon/runtime";

function readPackage(folder: string): Record<string, unknown> {
  try {
    return readJsonFile(join(folder, "package.json")) as Record<string, unknown>;
  } catch {
    return {};
  }
}
