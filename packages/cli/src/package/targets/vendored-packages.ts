import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { findInstalledFolder } from "../../bundle/installed-packages.js";
import { listFiles } from "../../files/list-files.js";
import { readJsonFile } from "../../files/json-file.js";

/**
 * Reads the files of npm packages and of all their dependencies, laid out as in a `node_modules` folder. Contains
 * each package once, unless two versions of it are needed.
 *
 * Copies whole packages, because `@vercel/nft` omits files that a package loads by a computed name.
 *
 * @param names the names of the packages
 * @param root the folder that they are installed for
 * @returns the files by path, beginning with `node_modules/`
 */
export function readVendoredFiles(names: readonly string[], root: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const locations = new Map<string, string>();
  const add = (name: string, from: string, parent: string): void => {
    const found = findInstalledFolder(name, from);
    // A package that is not installed is an optional dependency for another platform.
    if (found === undefined) return;
    const folder = realpathSync(found);
    const top = `node_modules/${name}`;
    const isFree = (locations.get(top) ?? folder) === folder;
    const location = isFree || parent === "" ? top : `${parent}/node_modules/${name}`;
    if (locations.get(location) === folder) return;
    locations.set(location, folder);
    for (const path of listFiles(folder, ["node_modules"]))
      files.set(`${location}/${path}`, readFileSync(join(folder, path)));
    for (const dependency of readDependencies(folder)) add(dependency, folder, location);
  };
  for (const name of names) add(name, root, "");
  return files;
}

function readDependencies(folder: string): string[] {
  const { dependencies, optionalDependencies } = readJsonFile(join(folder, "package.json")) as Record<
    string,
    Record<string, string> | undefined
  >;
  return Object.keys({ ...dependencies, ...optionalDependencies }).sort();
}
