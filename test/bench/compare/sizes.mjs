/**
 * Measures the packages that a rival installs, and its server as one bundle.
 * @module
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { installedSize, MINIFIED } from "../scratch/packages.mjs";

/** @import { PreparedRival } from "./prepare.mjs" */

/**
 * Returns the size of the packages of a project, and of those that its server needs when it runs.
 *
 * @param {PreparedRival} prepared
 * @returns {{ project: { mebibytes: number, packages: number }, deployed: { mebibytes: number, packages: number } }}
 */
export function installedSizes({ rival, installed }) {
  const project = installedSize(installed.build);
  if (rival.isBundled) return { project, deployed: { mebibytes: 0, packages: 0 } };
  return {
    project,
    deployed: installedSize(
      installed.run,
      installed.run === installed.build ? findDevPackages(installed.run) : [],
    ),
  };
}

/** Returns the folders of packages that only the build needs. @param {string} folder @returns {string[]} */
function findDevPackages(folder) {
  /** @type {{ packages: Record<string, { dev?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries(packages).flatMap(([path, { dev }]) => (dev === true ? [join(folder, path)] : []));
}

/**
 * Bundles a server for all its transports with its packages, minified. Optional packages are omitted if they are not
 * installed.
 *
 * @param {PreparedRival} prepared @param {string} outdir
 * @returns {Promise<number>} KiB
 */
export async function bundleSize({ rival, command }, outdir) {
  const entries = new Set(rival.transports.map((transport) => command(transport).args[0] ?? ""));
  await build({
    entryPoints: [...entries],
    absWorkingDir: command("http").cwd,
    outdir,
    ...MINIFIED,
    plugins: [{ name: "optional-packages", setup: leaveOutAbsent }],
    logLevel: "silent",
  });
  const files = readdirSync(outdir, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  );
  return files.reduce((sum, file) => sum + statSync(join(outdir, file)).size, 0) / 1024;
}

/** @param {import("esbuild").PluginBuild} build */
function leaveOutAbsent({ onResolve, resolve }) {
  onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...options }) => {
    if (pluginData === "resolving") return undefined;
    const { errors } = await resolve(path, { ...options, pluginData: "resolving" });
    return errors.length > 0 ? { path, external: true } : undefined;
  });
}
