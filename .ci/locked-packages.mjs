/**
 * What the published packages bring with them, by the lock file: exact, for every platform, and the same on every machine.
 * `npm sbom --omit dev` leaves out what some tool of development needs as well.
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
 * A package as it is locked.
 *
 * @typedef {object} LockedPackage
 * @property {string} name
 * @property {string} version
 * @property {string | undefined} license An SPDX expression.
 * @property {string | undefined} integrity Of its tarball; nothing for those of this repository.
 * @property {boolean} isOptional Only for some platforms.
 * @property {string[]} needs The places of what it depends on.
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
 * A package and all that it needs to run, itself first.
 *
 * @param {string} folder One of `PUBLISHED`.
 * @returns {Map<string, LockedPackage>} By place in the lock file.
 * @throws Error when something is not locked.
 */
export function lockedPackages(folder, lock = readLock()) {
  /** @type {Map<string, LockedPackage>} */
  const found = new Map();
  /** @param {string} place */
  const visit = (place) => {
    if (found.has(place)) return;
    const entry = lock[place];
    if (entry?.version === undefined) throw new Error(`${place} is not in package-lock.json.`);
    const needs = Object.keys(needed(entry)).flatMap((name) => placeOf(name, place, lock, entry));
    const { version, license, integrity, optional = false } = entry;
    const isInstalled = place.includes("node_modules/");
    const [last = place] = place.split(isInstalled ? "node_modules/" : "/").slice(-1);
    const name = entry.name ?? last;
    found.set(place, { name, version, license, integrity, isOptional: optional, needs });
    for (const each of needs) visit(each);
  };
  visit(folder);
  return found;
}

/** @param {LockEntry} entry */
function needed({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.entries(peerDependencies).filter(
    ([name]) => peerDependenciesMeta[name]?.optional !== true,
  );
  return { ...dependencies, ...optionalDependencies, ...Object.fromEntries(peers) };
}

/**
 * Where Node finds a package, seen from another.
 *
 * @param {string} name @param {string} from @param {Record<string, LockEntry>} lock @param {LockEntry} by
 * @returns {string[]} Nothing for one that may be absent.
 */
function placeOf(name, from, lock, by) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = lock[place];
    if (entry !== undefined) return [entry.link === true ? (entry.resolved ?? place) : place];
    if (folder === "") break;
  }
  if (by.optionalDependencies?.[name] !== undefined) return [];
  throw new Error(`${name}, which ${from} needs, is not in package-lock.json.`);
}
