import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findConfigFiles } from "@tenon/compiler";
import type { Plugin } from "esbuild";

/**
 * Creates the plugin that also reads in this process what esbuild reads in its own: the bundled files, the folders in which
 * it looks for them, and the settings that apply to them. `recordInputs` observes only this process.
 */
export function inputReader(): Plugin {
  return {
    name: "tenon-input-reader",
    setup({ onLoad, onResolve }) {
      const folders = new Set<string>();
      onResolve({ filter: /^\.\.?(?:\/|$)/ }, ({ path, resolveDir }) => {
        readFolder(dirname(join(resolveDir, path)));
        return undefined;
      });
      onLoad({ filter: /^/, namespace: "file" }, ({ path }) => {
        if (existsSync(path)) readFileSync(path);
        for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) {
          folders.add(folder);
          readSettings(folder);
        }
        return undefined;
      });
    },
  };
}

function readFolder(folder: string): void {
  if (existsSync(folder)) readdirSync(folder);
}

/** Reads the files that apply to a folder's modules, where they exist. */
function readSettings(folder: string): void {
  for (const name of ["package.json", "tsconfig.json", "jsconfig.json"]) {
    const path = join(folder, name);
    if (existsSync(path)) readFileSync(path);
  }
  // Reads the files that its tsconfig.json extends.
  findConfigFiles(folder);
}
