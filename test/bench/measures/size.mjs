import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { StdioClient } from "../clients/stdio-client.mjs";
import { installedSize, MINIFIED } from "../scratch/packages.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/prepare.mjs").Command} Command */
/** @typedef {import("../scratch/prepare.mjs").PeerName} PeerName */

/**
 * @typedef {object} Size
 * @property {number} mebibytes installed, on disk
 * @property {number} packages installed
 * @property {number} bundleKibibytes of the three-tool server with everything it needs but Node, minified
 * @property {number} loadedKibibytes of it, up to the answer of `tools/list` over stdio
 */

/** @type {("raw" | "tenon" | PeerName)[]} */
const SUBJECTS = ["raw", "tenon", "sdk-v1", "sdk-v2", "fastmcp"];

/** @param {Bench} bench @returns {Promise<Map<string, Size>>} */
export async function measureSizes(bench) {
  const sizes = new Map();
  for (const name of SUBJECTS) {
    const { mebibytes, packages } =
      name === "raw" ? { mebibytes: 0, packages: 0 } : installedSize(bench.installed[name]);
    const bundled = await bundle(bench.command(name));
    const files = readdirSync(bundled.cwd).filter((file) => file.endsWith(".js"));
    const bundleKibibytes = kibibytes(files.map((file) => join(bundled.cwd, file)));
    const loadedKibibytes = kibibytes(await loadedFiles(bundled));
    sizes.set(name, { mebibytes, packages, bundleKibibytes, loadedKibibytes });
  }
  return sizes;
}

/** @param {string[]} files */
function kibibytes(files) {
  return files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024;
}

/** @param {Command} command @returns {Promise<Command>} the command that starts the bundle */
async function bundle({ args, cwd, env }) {
  const [entry = ""] = args;
  const outdir = join(cwd, "bundle");
  await build({
    entryPoints: [entry],
    absWorkingDir: cwd,
    outdir,
    ...MINIFIED,
    // FastMCP works without these kinds of schemas.
    external: ["effect", "sury", "@valibot/to-json-schema"],
    logLevel: "error",
  });
  // The list of `raw`, which it reads from its own folder.
  const list = join(cwd, "tools-0.json");
  if (existsSync(list)) copyFileSync(list, join(outdir, "tools-0.json"));
  return { args: [join(outdir, basename(entry).replace(/\.mjs$/, ".js"))], cwd: outdir, ...(env && { env }) };
}

/**
 * Returns the files of a bundle that V8 has loaded when a client receives the list of tools.
 *
 * @param {Command} command
 */
async function loadedFiles(command) {
  const folder = mkdtempSync(join(command.cwd, "coverage-"));
  const client = new StdioClient({ ...command, env: { ...command.env, NODE_V8_COVERAGE: folder } }, "legacy");
  await client.open();
  await client.request("tools/list");
  await client.leave();
  const prefix = pathToFileURL(command.cwd).href;
  const urls = readdirSync(folder).flatMap((name) => {
    /** @type {{ result: { url: string }[] }} */
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return result.map(({ url }) => url).filter((url) => url.startsWith(prefix));
  });
  return [...new Set(urls)].map((url) => join(command.cwd, basename(url)));
}
