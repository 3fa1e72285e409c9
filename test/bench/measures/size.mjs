import { build } from "esbuild";
import { installedSize } from "../scratch/packages.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */

/**
 * @typedef {object} Size
 * @property {number} mebibytes installed, on disk
 * @property {number} packages installed
 * @property {number} bundleKibibytes of the three-tool server with everything it needs but Node, minified
 */

/** @type {("raw" | "tenon" | "sdk-v1" | "sdk-v2")[]} */
const SUBJECTS = ["raw", "tenon", "sdk-v1", "sdk-v2"];

/** @param {Bench} bench @returns {Promise<Map<string, Size>>} */
export async function measureSizes(bench) {
  const sizes = new Map();
  for (const name of SUBJECTS) {
    const { mebibytes, packages } =
      name === "raw" ? { mebibytes: 0, packages: 0 } : installedSize(bench.installed[name]);
    sizes.set(name, { mebibytes, packages, bundleKibibytes: await bundleSize(bench.command(name)) });
  }
  return sizes;
}

/** @param {import("../scratch/prepare.mjs").Command} command */
async function bundleSize({ args, cwd }) {
  const { outputFiles } = await build({
    entryPoints: [/** @type {string} */ (args[0])],
    absWorkingDir: cwd,
    outdir: "bundle",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    logLevel: "error",
  });
  return outputFiles.reduce((sum, file) => sum + file.contents.length, 0) / 1024;
}
