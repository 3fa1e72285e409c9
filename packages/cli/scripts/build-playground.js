/** Builds the page of the playground into `dist/playground/page/`, from which `tenon dev --open` serves it. */
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("../playground/", import.meta.url));
const target = fileURLToPath(new URL("../dist/playground/page/", import.meta.url));

await build({
  absWorkingDir: source,
  entryPoints: [
    { in: "page.tsx", out: "page" },
    { in: "view-page.ts", out: "view-page" },
    { in: "style/page.css", out: "page" },
  ],
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome120", "firefox120", "safari17"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "linked",
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) copyFileSync(source + file, target + file);
