import type { Compilation, Diagnostic, FileTree } from "@tenon/compiler";
import { addViewHashes } from "@tenon/compiler/report";
import type { Manifest } from "@tenon/runtime/manifest";
import { bundleViews, type ViewBundlingOptions } from "../bundle/bundle-views.js";
import { hasErrors } from "../terminal/print-diagnostics.js";

/** The modules of a server with its views. */
export interface EmittedServer {
  /** Absent if the project or a view has errors. */
  modules?: FileTree;
  /** The manifest with the hashes of the views. Absent if the project or a view has errors. */
  manifest?: Manifest;
  /** The diagnostics about built views. */
  diagnostics: Diagnostic[];
}

/**
 * Bundles the views of a compilation and emits the server.
 *
 * @param emit `emit` or `emitOthers` of the compilation
 * @throws Failure with every error if a view cannot be bundled
 */
export async function emitWithViews(
  { views = [], checkViews, manifest }: Pick<Compilation, "views" | "checkViews" | "manifest">,
  emit: Compilation["emit"],
  root: string,
  options: ViewBundlingOptions = {},
): Promise<EmittedServer> {
  if (emit === undefined) return { diagnostics: [] };
  const built = await bundleViews(root, views, options);
  const diagnostics = checkViews?.(built) ?? [];
  if (hasErrors(diagnostics)) return { diagnostics };
  return {
    diagnostics,
    modules: await emit(built),
    ...(manifest && { manifest: addViewHashes(manifest, built) }),
  };
}
