import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import type { FileTree } from "@tenon/compiler";
import { build } from "esbuild";
import { npmPackages } from "../../bundle/npm-packages.js";
import { OUTPUT } from "../../bundle/output.js";

/** The runtime of a project, joined once so that an edit bundles the author's sources alone. */
export interface RuntimeBundle {
  /** A package of its own, for a folder `node_modules` where the servers that import it look first. */
  files: FileTree;
  /** The absolute paths of the modules it stands for, by what they are imported as. */
  modules: ReadonlyMap<string, string>;
}

const NAME = "@tenon/runtime";

/**
 * Bundles each module that the runtime exports. What they have in common stays one module, so that a server and
 * the process it runs in share it.
 *
 * @param root the project folder, absolute, whose installed runtime is meant
 * @throws Error when there is none that can be bundled
 */
export async function bundleRuntime(root: string): Promise<RuntimeBundle> {
  const names = await exportedNames(root);
  const folder = join(root, "node_modules", NAME);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: specifierOf(name), out: outputOf(name) })),
    outdir: folder,
    ...OUTPUT,
    sourcesContent: false,
    metafile: true,
    plugins: [npmPackages()],
  });
  const exports = Object.fromEntries(
    names.map((name) => [name === "" ? "." : `./${name}`, `./${outputOf(name)}.js`]),
  );
  const description = { name: NAME, type: "module", exports };
  const files: FileTree = new Map([["package.json", `${JSON.stringify(description, null, 2)}\n`]]);
  for (const { path, contents } of outputFiles)
    files.set(relative(folder, path).replaceAll("\\", "/"), contents);
  const sources = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [resolve(root, path), entryPoint]),
  );
  const modules = names.flatMap((name): [string, string][] => {
    const source = sources.get(join(folder, `${outputOf(name)}.js`));
    return source === undefined ? [] : [[specifierOf(name), resolve(root, source)]];
  });
  return { files, modules: new Map(modules) };
}

function specifierOf(name: string): string {
  return name === "" ? NAME : `${NAME}/${name}`;
}

function outputOf(name: string): string {
  return name === "" ? "index" : name;
}

/** What the package exports: `""` for itself, `server` for `@tenon/runtime/server`. */
async function exportedNames(root: string): Promise<string[]> {
  const path = createRequire(join(root, "package.json")).resolve(`${NAME}/package.json`);
  const { exports } = JSON.parse(await readFile(path, "utf8")) as { exports: Record<string, unknown> };
  return Object.keys(exports)
    .filter((key) => key !== "./package.json" && !key.includes("*"))
    .map((key) => key.replace(/^\.\/?/, ""));
}
