import { join } from "node:path";
import { type SourceEdits, writeFileTree } from "@tenon/compiler";
// Internal: the bundler alone, without the rest of a build.
import { type Bundle, createBundler } from "../../packages/cli/src/bundle/bundle.js";

interface BundleSettings {
  sourceEdits?: SourceEdits | undefined;
  bundlePackages?: boolean;
  /** The folder to write to. Default: `dist`. */
  folder?: string;
}

/**
 * Bundles a module into `app.js`, without the rest of a build.
 *
 * @param app the text of the module, as in a folder next to `src`
 * @returns the bundle without its files, and the path of `app.js`
 */
export async function bundleSources(
  root: string,
  app: string,
  { sourceEdits, bundlePackages = false, folder = "dist" }: BundleSettings = {},
): Promise<Omit<Bundle, "files"> & { path: string }> {
  const outDir = join(root, folder);
  const bundler = await createBundler({ root, outDir, entries: ["app.js"], bundlePackages });
  const { files, ...others } = await bundler
    .bundle(new Map([["app.js", app]]), sourceEdits)
    .finally(() => bundler.dispose());
  writeFileTree(files, outDir);
  return { ...others, path: join(outDir, "app.js") };
}
