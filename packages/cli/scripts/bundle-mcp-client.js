/**
 * Bundles the official client with its libraries into `dist/remote/official/mcp-client.js`, so that projects do not install them. Writes
 * their licenses next to it.
 *
 * Part of every build, so that a checkout runs what is published. Packing runs it again, and changes nothing then: results that
 * `tenon` has kept are valid only for the modules that computed them.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist/remote/official/mcp-client.js");

const { metafile, outputFiles } = await build({
  write: false,
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

writeIfChanged(output, outputFiles[0].text);

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
writeIfChanged(output.replace(/\.js$/, ".licenses.txt"), licenses.join(`\n${"-".repeat(80)}\n\n`));

function writeIfChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
