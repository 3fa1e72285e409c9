/**
 * Puts what `tenon create` is made of into `dist/create/`, so that people who begin do not install the whole command line,
 * its compiler and its bundler, only to be asked where their project is to live: their project installs those.
 */
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

rmSync(new URL("../dist/create", import.meta.url), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ["dist/bin.js"],
  // As deep as its modules lie in the command line: they look for their package two folders up.
  outdir: "dist/create",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: Object.keys(dependencies),
  logLevel: "warning",
});
