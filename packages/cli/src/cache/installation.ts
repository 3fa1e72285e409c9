import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashContent, type Input, type Property, readProperty } from "./inputs.js";

/** The environment variables that change what Node, esbuild, or TypeScript read. */
const ENVIRONMENT = ["NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "ESBUILD_BINARY_PATH"] as const;

/** The files in `node_modules` that package managers write after each installation. */
const INSTALLED_LISTS = [
  ".package-lock.json",
  ".modules.yaml",
  ".pnpm/lock.yaml",
  ".yarn-state.yml",
  ".yarn-integrity",
] as const;

/**
 * Returns a hash of everything that affects a compilation, apart from the project: Tenon's own modules, Node, and the
 * environment variables that matter. Modules are compared by size and modification time, because building a checkout
 * of Tenon does not change its version.
 *
 * @param folders the folders of Tenon's modules, absolute
 */
export function identifyTools(folders = findOwnFolders(), env: NodeJS.ProcessEnv = process.env): string {
  const modules = folders.flatMap(listModules).sort();
  const variables = ENVIRONMENT.map((name) => env[name] ?? null);
  return hashContent(JSON.stringify([process.version, process.platform, process.arch, variables, modules]));
}

/** Returns the folders of Tenon's modules: `dist` in each package, or `src` where Tenon's own tests run sources. */
function findOwnFolders(): string[] {
  const others = ["@tenon/compiler", "@tenon/runtime"].map((name) =>
    dirname(fileURLToPath(import.meta.resolve(name))),
  );
  return [fileURLToPath(new URL("..", import.meta.url)), ...others];
}

/** Lists the modules in a folder with their sizes and modification times. Returns an empty list if the folder does not exist. */
function listModules(folder: string): string[] {
  try {
    // Node's option `recursive` would also read the state of every file.
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listModules(path);
      if (!/(?<!\.d)\.[jt]s$/.test(entry.name)) return [];
      const { size, mtimeMs } = statSync(path);
      return [`${path} ${size} ${mtimeMs}`];
    });
  } catch {
    return [];
  }
}

/**
 * Returns the inputs that any installation changes. Node also resolves packages, such as the project's TypeScript, without
 * the functions that `recordInputs` observes.
 *
 * @param root the project folder, absolute
 */
export function listInstallationInputs(root: string): Input[] {
  const toInput = (property: Property, path: string): Input => [property, path, readProperty(property, path)];
  return listFolders(root).flatMap((folder) => {
    const installed = join(folder, "node_modules");
    const lists = INSTALLED_LISTS.map((name) => toInput("content", join(installed, name)));
    return [toInput("names", installed), ...lists];
  });
}

/** Returns a folder and its parents, nearest first. */
function listFolders(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listFolders(parent)];
}
