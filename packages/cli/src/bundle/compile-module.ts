import { dirname } from "node:path";
import { build, type BuildOptions, type OnLoadResult, type OutputFile } from "esbuild";
import { OUTPUT } from "./output.js";

/**
 * Compiles one of the author's modules by itself, as the nearest `tsconfig.json` wants it: its imports stay as they are.
 *
 * @param path absolute
 * @param module what is compiled in place of what the file holds
 * @throws BuildFailure of esbuild for what cannot be parsed
 */
export async function compileModule(
  path: string,
  module: OnLoadResult,
  options: Pick<BuildOptions, "charset" | "define" | "format" | "keepNames" | "sourcemap">,
): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...OUTPUT,
    ...options,
    entryPoints: [path],
    // Beside the source, for the source map; nothing is written.
    outdir: dirname(path),
    allowOverwrite: true,
    bundle: false,
    splitting: false,
    plugins: [{ name: "tenon-one-module", setup: ({ onLoad }) => onLoad({ filter: /^/ }, () => module) }],
    write: false,
  });
  return outputFiles;
}
