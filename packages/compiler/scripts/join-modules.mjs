/**
 * Joins the modules that `tsc` has written into `dist/modules` to one file for each entry of the package, and a few
 * parts that are loaded when they are needed. Node reads every module in several steps, each handed to another
 * thread and waited for: for ninety of them that takes as long as a small project, and longest on a machine that is
 * busy. Part of `npm run build`.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const folder = join(import.meta.dirname, "../dist");
const { exports: exported } = JSON.parse(readFileSync(join(folder, "../package.json"), "utf8"));
const entries = Object.values(exported).flatMap(({ default: file }) => (file ? [basename(file)] : []));
for (const name of readdirSync(folder)) if (name.endsWith(".js")) rmSync(join(folder, name));
await build({
  entryPoints: entries.map((entry) => join(folder, "modules", entry)),
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  // The modules are as `tsc` wrote them: nothing in tsconfig.json is left to be done.
  tsconfigRaw: {},
  logLevel: "warning",
});
