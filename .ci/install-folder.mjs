/**
 * `node .ci/install-folder.mjs FOLDER…`: what few people need has a package.json and a lock file of its own, and is
 * installed when something needs it. A first `npm ci` is quicker by that.
 * @module
 */
import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const WORKSPACE = join(import.meta.dirname, "..");

/** What was installed last, to the end. */
const INSTALLED = "node_modules/.installed-lock.json";

/**
 * Installs what a folder's lock file says, unless that is installed. None of the packages needs its install script.
 *
 * @param {string} folder Absolute.
 * @throws Error when npm fails, which has said why.
 */
export function installFolder(folder) {
  const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");
  if (wanted === readIfThere(join(folder, INSTALLED))) return;
  process.stderr.write(`Installing what ${relative(WORKSPACE, folder)} needs…\n`);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`npm ci in ${relative(WORKSPACE, folder)} failed.`);
  writeFileSync(join(folder, INSTALLED), wanted);
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) installFolder(join(WORKSPACE, folder));
}
