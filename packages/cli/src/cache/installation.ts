import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashContent, type Input, type Property, readProperty } from "./inputs.js";

/** The environment variables that change what Node, esbuild, or TypeScript read. */
const ENVIRONMENT = ["NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "ESBUILD_BINARY_PATH"] as const;

/** The files in `node_modules` that package managers write after each installation. */
const INSTALLED_LISTS = [".package-lock.json", ".modules.yaml", ".yarn-state.yml"] as const;

/**
 * Returns a hash of all that compiles besides the project: Tenon's own modules, Node, and the environment variables that
 * matter. Modules count by size and time, because no version changes when a checkout of Tenon is built.
 *
 * @param packages the folders of Tenon's packages, absolute
 */
export function identifyTools(packages = findOwnPackages(), env: NodeJS.ProcessEnv = process.env): string {
  const modules = packages.flatMap((folder) =>
    ["dist", "src"].flatMap((name) => listModules(join(folder, name))),
  );
  const variables = ENVIRONMENT.map((name) => env[name] ?? null);
  return hashContent(JSON.stringify([process.version, process.platform, process.arch, variables, modules]));
}

function findOwnPackages(): string[] {
  const others = ["@tenon/compiler", "@tenon/runtime"].map((name) =>
    dirname(dirname(fileURLToPath(import.meta.resolve(name)))),
  );
  return [fileURLToPath(new URL("../..", import.meta.url)), ...others];
}

function listModules(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[jt]s$/.test(name))
      .sort()
      .map((name) => {
        const { size, mtimeMs } = statSync(join(folder, name));
        return `${folder}/${name} ${size} ${mtimeMs}`;
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
export function listInstalled(root: string): Input[] {
  const toInput = (property: Property, path: string): Input => [property, path, readProperty(property, path)];
  return listFolders(root).flatMap((folder) => {
    const installed = join(folder, "node_modules");
    const lists = INSTALLED_LISTS.map((name) => toInput("content", join(installed, name)));
    return [toInput("names", installed), ...lists];
  });
}

/** Returns a folder and its parents, nearest first. */
function listFolders(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listFolders(above)];
}
