/**
 * Reads the exact dependencies of the published packages from the lock file, for every platform. `npm sbom --omit dev` is not
 * used because it omits packages that are also development dependencies.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const WORKSPACE = join(import.meta.dirname, "..");

/** The folders of the packages that are published. */
export const PUBLISHED = [
  "packages/runtime",
  "packages/compiler",
  "packages/cli",
  "packages/create-mcp-server",
];

/**
 * A package in the lock file.
 *
 * @typedef {object} LockedPackage
 * @property {string} name
 * @property {string} version
 * @property {string | undefined} license An SPDX expression.
 * @property {string | undefined} integrity The hash of its tarball; undefined for packages of this repository.
 * @property {boolean} isOptional Whether it is installed only on some platforms.
 * @property {string[]} dependencies The paths of its dependencies in the lock file.
 */

/**
 * @typedef {object} LockEntry
 * @property {string} [name]
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [integrity]
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/** @returns {Record<string, LockEntry>} */
function readLock() {
  return JSON.parse(readFileSync(join(WORKSPACE, "package-lock.json"), "utf8")).packages;
}

/**
 * Returns a package and all its runtime dependencies, including those that it contains as `bundledLibraries`; the package itself is
 * the first entry.
 *
 * @param {string} folder One of `PUBLISHED`.
 * @returns {Map<string, LockedPackage>} The packages by their path in the lock file.
 * @throws Error if a dependency is not in the lock file.
 */
export function lockedPackages(folder, lock = readLock()) {
  /** @type {Map<string, LockedPackage>} */
  const found = new Map();
  /** @param {string} path */
  const visit = (path) => {
    if (found.has(path)) return;
    const entry = lock[path];
    if (entry?.version === undefined) throw new Error(`${path} is not in package-lock.json.`);
    const required = [...Object.keys(getRequired(entry)), ...(path === folder ? readBundled(folder) : [])];
    const dependencies = required.flatMap((name) => findInstalledPath(name, path, lock, entry));
    const { version, license, integrity, optional = false } = entry;
    const isInstalled = path.includes("node_modules/");
    const [last = path] = path.split(isInstalled ? "node_modules/" : "/").slice(-1);
    const name = entry.name ?? last;
    found.set(path, { name, version, license, integrity, isOptional: optional, dependencies });
    for (const each of dependencies) visit(each);
  };
  visit(folder);
  return found;
}

/**
 * Returns the names of packages that a package contains in its own modules.
 *
 * @param {string} folder @returns {string[]}
 */
function readBundled(folder) {
  return JSON.parse(readFileSync(join(WORKSPACE, folder, "package.json"), "utf8")).bundledLibraries ?? [];
}

/** @param {LockEntry} entry */
function getRequired({
  dependencies,
  optionalDependencies,
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.entries(peerDependencies).filter(
    ([name]) => peerDependenciesMeta[name]?.optional !== true,
  );
  return { ...dependencies, ...optionalDependencies, ...Object.fromEntries(peers) };
}

/**
 * Returns the path where Node finds a package that another package imports.
 *
 * @param {string} name @param {string} from @param {Record<string, LockEntry>} lock @param {LockEntry} importer
 * @returns {string[]} The path, or nothing for an optional package that is absent.
 */
function findInstalledPath(name, from, lock, importer) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = lock[path];
    if (entry !== undefined) return [entry.link === true ? (entry.resolved ?? path) : path];
    if (folder === "") break;
  }
  if (importer.optionalDependencies?.[name] !== undefined) return [];
  throw new Error(`${name}, which ${from} needs, is not in package-lock.json.`);
}
