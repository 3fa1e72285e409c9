/**
 * Bundles `tenon create` into `dist/create/`, so that this package does not depend on the whole command line with its
 * compiler and bundler. The created project installs those.
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
  // The same depth as in the command line: the modules look for their package two folders up.
  outdir: "dist/create",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: Object.keys(dependencies),
  logLevel: "warning",
});
