import type { SourceEdit } from "@tenon/compiler";
import { build } from "esbuild";
import { dirname } from "node:path";
import { editedSource, loaderOf } from "./author-sources.js";
import { OUTPUT } from "./output.js";

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
 * @throws BuildFailure of esbuild for what cannot be parsed
 */
export async function lowerSource(
  path: string,
  source: string,
  edits: readonly SourceEdit[],
): Promise<LoweredSource> {
  const module = { contents: editedSource(source, edits), loader: loaderOf(path) };
  const { outputFiles } = await build({
    ...OUTPUT,
    entryPoints: [path],
    // Beside the source, for the source map; nothing is written.
    outdir: dirname(path),
    allowOverwrite: true,
    bundle: false,
    splitting: false,
    charset: "utf8",
    sourcemap: "external",
    plugins: [{ name: "tenon-one-module", setup: ({ onLoad }) => onLoad({ filter: /^/ }, () => module) }],
  });
  const textOf = (isMap: boolean): string =>
    outputFiles.find((file) => file.path.endsWith(".map") === isMap)?.text ?? "";
  return { code: textOf(false), map: textOf(true) };
}
