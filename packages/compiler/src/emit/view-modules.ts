import type { Manifest } from "@tenon/runtime/manifest";
import type { BuiltViews } from "../views/view-hashes.js";
import type { FileTree } from "./file-tree.js";

/**
 * Returns the module of a view, relative to the output folder. A server imports it when a client reads the view.
 *
 * @example
 * getViewModule("charts/map") // "view-charts_2f_map.js"
 */
export function getViewModule(name: string): string {
  // Different names have different modules.
  const escaped = name.replaceAll(/[^a-z\d.-]/gi, (each) => `_${each.codePointAt(0)?.toString(16)}_`);
  return `view-${escaped}.js`;
}

/** Returns the modules that contain the HTML of the views. */
export function createViewModules({ views = {} }: Manifest, built: BuiltViews): FileTree {
  return new Map(
    Object.keys(views).map((name) => [
      getViewModule(name),
      `export const html = ${JSON.stringify(built.get(name) ?? "")};\n`,
    ]),
  );
}
