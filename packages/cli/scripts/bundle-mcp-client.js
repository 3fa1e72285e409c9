/**
 * Bundles the official client with its libraries into `dist/remote/official/mcp-client.js`, so that projects do not install them. Writes
 * their licenses next to it.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist/remote/official/mcp-client.js");

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["src/remote/official/mcp-client.ts"],
  outfile: output,
  bundle: true,
  minify: true,
  // Names of classes are those of errors in messages.
  keepNames: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // Some libraries are CommonJS, and require modules of Node.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
  },
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
});

const folders = new Set(
  Object.keys(metafile.inputs).flatMap(
    (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  ),
);
const licenses = [...folders].sort().map((folder) => {
  const path = join(root, folder);
  const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no license file.`);
  return `${name} ${version}\n\n${readFileSync(join(path, file), "utf8").trim()}\n`;
});
writeFileSync(
  join(root, "dist/remote/official/mcp-client.licenses.txt"),
  licenses.join(`\n${"-".repeat(80)}\n\n`),
);
