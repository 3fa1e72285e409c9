import type { Manifest } from "@tenon/runtime/manifest";
import type { BuiltViews } from "../views/view-hashes.js";
import type { FileTree } from "./file-tree.js";

/** Returns the module of a view, relative to the output folder. A server imports it when a client reads the view. */
export function getViewModule(name: string): string {
  return `view-${name.replaceAll("/", "--").replaceAll(/[^\w.-]/g, "_")}.js`;
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
