/**
 * Packages that a run installs: peers and the packed runtime, in the scratch folder and never in the workspace.
 * @module
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./run.mjs";

export const repository = resolve(import.meta.dirname, "../../..");

/**
 * Installs packages into a separate folder.
 *
 * @param {string} folder @param {string[]} packages such as `zod@4`
 */
export async function installInto(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module", "version": "1.0.0" }\n');
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], folder);
}

/** Packs the runtime as for a release. @param {string} folder @returns {Promise<string>} the archive */
export async function packRuntime(folder) {
  return await packPackage("runtime", folder);
}

/**
 * Packs a package as for a release.
 *
 * @param {string} name of its folder in `packages/` @param {string} folder @returns {Promise<string>} the archive
 */
export async function packPackage(name, folder) {
  const args = [
    "pack",
    join(repository, "packages", name),
    "--pack-destination",
    folder,
    "--json",
    "--silent",
  ];
  const { stdout } = await run("npm", args, repository);
  const packed = JSON.parse(stdout);
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  return join(folder, filename);
}

/**
 * Returns the size of `node_modules` on disk, as `du` counts it.
 *
 * @param {string} folder @param {readonly string[]} [without] folders of packages that do not count
 */
export function installedSize(folder, without = []) {
  const left = without.map((each) => join(each, "/"));
  const modules = join(folder, "node_modules");
  let bytes = 0;
  let packages = 0;
  for (const entry of readdirSync(modules, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || left.some((each) => join(entry.parentPath, "/").startsWith(each))) continue;
    const { size, blocks } = statSync(join(entry.parentPath, entry.name));
    bytes += blocks === undefined ? size : blocks * 512;
    if (entry.name === "package.json" && isPackageRoot(entry.parentPath)) packages++;
  }
  return { mebibytes: bytes / 1024 ** 2, packages };
}

/** @param {string} folder */
function isPackageRoot(folder) {
  return /node_modules\/(?:@[^/]+\/)?[^/@][^/]*$/.test(folder.replaceAll("\\", "/"));
}

/** @param {string} folder @param {string} name @returns {string} */
export function installedVersion(folder, name) {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
}

/** Options of esbuild for a minified bundle with all packages. */
export const MINIFIED = /** @type {const} */ ({
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node20",
});
