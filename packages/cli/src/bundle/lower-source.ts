import type { SourceEdit } from "@tenon/compiler";
import { editedSource, loaderOf } from "./author-sources.js";
import { compileModule } from "./compile-module.js";

/** A module that Node can run. */
export interface LoweredSource {
  readonly code: string;
  /** Its source map, as JSON. */
  readonly map: string;
}

/**
 * Makes JavaScript of one of the author's modules by itself, with decorators of either kind, as the nearest `tsconfig.json`
 * wants it. Its imports stay as they are.
 *
 * @param path absolute
 * @param edits what the compiler wants changed
 * @param keepNames whether classes have to have the names that they are given
 * @throws BuildFailure of esbuild for what cannot be parsed
 */
export async function lowerSource(
  path: string,
  source: string,
  edits: readonly SourceEdit[],
  keepNames: boolean,
): Promise<LoweredSource> {
  const module = { contents: editedSource(source, edits), loader: loaderOf(path) };
  const outputFiles = await compileModule(path, module, {
    charset: "utf8",
    define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
    keepNames,
    sourcemap: "external",
  });
  const textOf = (isMap: boolean): string =>
    outputFiles.find((file) => file.path.endsWith(".map") === isMap)?.text ?? "";
  return { code: textOf(false), map: textOf(true) };
}
