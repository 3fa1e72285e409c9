import { basename, dirname } from "node:path";
import { build, type BuildOptions, type OnLoadResult, type OutputFile } from "esbuild";
import { OUTPUT } from "./output.js";

/**
 * Compiles a single module of the author with the settings of the nearest `tsconfig.json`. Leaves its imports unchanged.
 *
 * @param path the path of the module, absolute
 * @param module the source to compile instead of the file's content
 * @throws BuildFailure of esbuild if the source cannot be parsed
 */
export async function compileModule(
  path: string,
  module: OnLoadResult,
  options: Pick<BuildOptions, "charset" | "define" | "format" | "keepNames" | "legalComments" | "sourcemap">,
): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...OUTPUT,
    ...options,
    entryPoints: [path],
    // Esbuild would read a `*` in the name of a folder as a pattern.
    ...(path.includes("*") && { absWorkingDir: dirname(path), entryPoints: [`./${basename(path)}`] }),
    // The source map refers to this folder; nothing is written.
    outdir: dirname(path),
    allowOverwrite: true,
    bundle: false,
    splitting: false,
    plugins: [{ name: "tenon-one-module", setup: ({ onLoad }) => onLoad({ filter: /^/ }, () => module) }],
    write: false,
  });
  return outputFiles;
}
