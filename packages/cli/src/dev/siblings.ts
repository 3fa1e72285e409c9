import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { installedFolder } from "../bundle/package-of.js";
import { isInside } from "../files/is-inside.js";
import { readJsonFile } from "../files/json-file.js";

/** What is watched of one package beside the project. */
export interface Sibling {
  /** The folder of its package.json. */
  folder: string;
  /** Folders and files in it, absolute: the sources that are compiled, or what is run of a package with a build of its own. */
  followed: string[];
}

/**
 * What has to be followed beside a project: of each package that TypeScript has read files of, the folders of these; of
 * one that is built already, and of the linked packages that it needs in turn, what its package.json leads to, since
 * JavaScript may change where its types do not.
 *
 * @param files that were read, absolute, with the links in them followed
 * @param root the project folder, absolute
 */
export function siblingsOf(files: readonly string[], root: string): Sibling[] {
  const found = new Map<string, Set<string>>();
  const follow = (folder: string, path: string): void => {
    const target = followedPart(folder, path, root);
    if (target === undefined) return;
    const followed = found.get(folder) ?? new Set();
    found.set(folder, followed.add(target));
  };
  const followBuilt = (folder: string): void => {
    for (const path of publishedPaths(folder)) follow(folder, path);
  };
  for (const file of files) {
    const path = resolve(file);
    const folder = packageFolder(path);
    follow(folder, path);
    if (DECLARATIONS.test(path) && !isInside(root, folder)) followBuilt(folder);
  }
  const followLinked = (from: string): void => {
    for (const folder of linkedPackages(from, root)) if (!found.has(folder)) followBuilt(folder);
  };
  followLinked(root);
  // A map goes on to what is added to it meanwhile.
  for (const folder of found.keys()) followLinked(folder);
  return [...found].map(([folder, followed]) => ({ folder, followed: [...followed].sort() }));
}

const DECLARATIONS = /\.d\.[cm]?ts$/;

/** The largest part of a package that a file of it belongs to and the project does not: `src` for most. */
function followedPart(folder: string, path: string, root: string): string | undefined {
  if (!isInside(path, folder) || isInside(path, root)) return undefined;
  let part = folder;
  for (const name of relative(folder, path).split(sep)) {
    if (name === "node_modules") return undefined;
    part = join(part, name);
    if (!isInside(root, part)) return part;
  }
  return undefined;
}

function packageFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return dirname(file);
  }
}

/** Where package.json says that the modules and files of a package are. */
function publishedPaths(folder: string): string[] {
  const { main, module, exports, files } = readPackage(folder);
  return stringsIn([main ?? "index.js", module, exports, files])
    .map((path) => resolve(folder, path.split("*", 1)[0] ?? ""))
    .filter((path) => path !== folder);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The folders of the packages that another needs and that are links to folders beside it. */
function linkedPackages(folder: string, root: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = readPackage(folder);
  const names = [dependencies, optionalDependencies, peerDependencies].flatMap((each) =>
    Object.keys((each ?? {}) as object),
  );
  return names.flatMap((name) => {
    const installed = name === RUNTIME ? undefined : installedFolder(name, folder);
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
