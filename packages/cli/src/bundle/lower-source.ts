import type { SourceEdit } from "@tenon/compiler";
import { applyEdits, getLoader } from "./author-sources.js";
import { compileModule } from "./compile-module.js";

/** A module that Node can run. */
export interface LoweredSource {
  readonly code: string;
  /** Its source map, as JSON. */
  readonly map: string;
}

/**
 * Compiles a single module of the author to JavaScript, including standard and legacy decorators, with the settings
 * of the nearest `tsconfig.json`. Leaves its imports unchanged.
 *
 * @param path the path of the module, absolute
 * @param edits the compiler's edits
 * @param keepNames whether classes must keep their names
 * @throws BuildFailure of esbuild if the source cannot be parsed
 */
export async function lowerSource(
  path: string,
  source: string,
  edits: readonly SourceEdit[],
  keepNames: boolean,
): Promise<LoweredSource> {
  const module = { contents: applyEdits(source, edits), loader: getLoader(path) };
  const { outputFiles } = await compileModule(path, module, {
    charset: "utf8",
    define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
    format: "esm",
    keepNames,
    sourcemap: "external",
  });
  const findText = (isMap: boolean): string =>
    outputFiles.find((file) => file.path.endsWith(".map") === isMap)?.text ?? "";
  return { code: findText(false), map: findText(true) };
}
