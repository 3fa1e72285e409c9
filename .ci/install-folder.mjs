/**
 * `node .ci/install-folder.mjs FOLDER…` installs the dependencies of a folder with its own package.json and lock file, when a
 * script needs them. This keeps the first `npm ci` fast.
 * @module
 */
import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const WORKSPACE = join(import.meta.dirname, "..");

/** The lock file of the last complete installation. */
const INSTALLED = "node_modules/.installed-lock.json";

/**
 * Installs the packages in a folder's lock file, unless they are installed. None of them needs its install script.
 *
 * @param {string} folder An absolute path.
 * @throws Error if npm fails; npm has printed the reason.
 */
export function installFolder(folder) {
  const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");
  if (wanted === readIfExists(join(folder, INSTALLED))) return;
  process.stderr.write(`Installing the dependencies of ${relative(WORKSPACE, folder)}…\n`);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`npm ci in ${relative(WORKSPACE, folder)} failed.`);
  writeFileSync(join(folder, INSTALLED), wanted);
}

/** @param {string} path */
function readIfExists(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) installFolder(join(WORKSPACE, folder));
}
