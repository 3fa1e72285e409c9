import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { installedFolder } from "../../bundle/package-of.js";
import { readJsonFile } from "../../files/json-file.js";

/**
 * The files of npm packages and of all that these depend on, as they belong into a `node_modules`. A package is there once,
 * unless two versions of it are needed.
 *
 * @param names of the packages
 * @param root the folder that they are installed for
 * @returns by path, beginning with `node_modules/`
 */
export function vendoredFiles(names: readonly string[], root: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const placed = new Map<string, string>();
  const add = (name: string, from: string, parent: string): void => {
    const found = installedFolder(name, from);
    // An optional dependency that is not for this machine.
    if (found === undefined) return;
    const folder = realpathSync(found);
    const top = `node_modules/${name}`;
    const isFree = (placed.get(top) ?? folder) === folder;
    const place = isFree || parent === "" ? top : `${parent}/node_modules/${name}`;
    if (placed.get(place) === folder) return;
    placed.set(place, folder);
    for (const path of filesIn(folder)) files.set(`${place}/${path}`, readFileSync(join(folder, path)));
    for (const needed of dependenciesOf(folder)) add(needed, folder, place);
  };
  for (const name of names) add(name, root, "");
  return files;
}

function dependenciesOf(folder: string): string[] {
  const { dependencies, optionalDependencies } = readJsonFile(join(folder, "package.json")) as Record<
    string,
    Record<string, string> | undefined
  >;
  return Object.keys({ ...dependencies, ...optionalDependencies }).sort();
}

function filesIn(folder: string, path = ""): string[] {
  return readdirSync(join(folder, path))
    .filter((name) => name !== "node_modules")
    .sort()
    .flatMap((name) => {
      const inside = path === "" ? name : `${path}/${name}`;
      return statSync(join(folder, inside)).isDirectory() ? filesIn(folder, inside) : [inside];
    });
}
