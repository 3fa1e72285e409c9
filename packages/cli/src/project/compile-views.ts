/**
 * Steps for projects with views: types of the server are written before views are checked, and views are bundled before the
 * server is emitted.
 * @module
 */
import { join } from "node:path";
import type { Compilation, Compiler, Diagnostic, FileTree } from "@tenon/compiler";
import { addViewHashes } from "@tenon/compiler/report";
import type { Manifest } from "@tenon/runtime/manifest";
import { bundleViews, type ViewBundlingOptions } from "../bundle/bundle-views.js";
import { hasErrors } from "../terminal/print-diagnostics.js";
import { VIEW_TYPES, writeServerTypes } from "./server-types.js";

/** The number of compilations until the types of views stay the same: a view may depend on tools that need its types. */
const MAX_COMPILATIONS = 3;

/**
 * Compiles a project. If it has views, writes the types of the server first, so that views are checked against its current
 * tools.
 *
 * @param root the project folder, absolute
 */
export function compileWithViews(compiler: Compiler, root: string): Compilation {
  for (let count = 1; ; count++) {
    const compilation = compiler.compile();
    const { manifest } = compilation;
    if (manifest?.views === undefined || count === MAX_COMPILATIONS) return compilation;
    if (!writeServerTypes(manifest, root).includes(VIEW_TYPES)) return compilation;
    compiler.refresh([join(root, VIEW_TYPES)]);
  }
}

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
