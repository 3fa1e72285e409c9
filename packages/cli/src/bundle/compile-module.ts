import { basename, dirname } from "node:path";
import { build, type BuildOptions, type OnLoadResult, type OutputFile } from "esbuild";
import { OUTPUT } from "./output.js";

/** A module that was compiled on its own. */
export interface CompiledModule {
  readonly outputFiles: OutputFile[];
  /** Whether it is an ES module. A module without `import` and `export` may be CommonJS. */
  readonly isEsModule: boolean;
}

const { format: _, ...ONE_MODULE } = OUTPUT;

/**
 * Compiles a single module of the author with the settings of the nearest `tsconfig.json`. Leaves its imports unchanged,
 * and without `format`, its format.
 *
 * @param path the path of the module, absolute
 * @param module the source to compile instead of the file's content
 * @throws BuildFailure of esbuild if the source cannot be parsed
 */
export async function compileModule(
  path: string,
  module: OnLoadResult,
  options: Pick<BuildOptions, "charset" | "define" | "format" | "keepNames" | "legalComments" | "sourcemap">,
): Promise<CompiledModule> {
  const { outputFiles, metafile } = await build({
    ...ONE_MODULE,
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
    metafile: true,
    write: false,
  });
  const isEsModule = Object.values(metafile.inputs).some(({ format }) => format === "esm");
  return { outputFiles, isEsModule };
}
