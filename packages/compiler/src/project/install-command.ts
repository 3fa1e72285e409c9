import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Commands of a package manager. */
interface Commands {
  /** Installs the packages that package.json lists. */
  all: string;
  /** Adds a package. */
  add: string;
  /** Adds a development dependency. */
  addForDevelopment: string;
}

/** Commands by lock file. */
const COMMANDS: Record<string, Commands> = {
  "pnpm-lock.yaml": { all: "pnpm install", add: "pnpm add", addForDevelopment: "pnpm add -D" },
  "yarn.lock": { all: "yarn install", add: "yarn add", addForDevelopment: "yarn add -D" },
  "bun.lock": { all: "bun install", add: "bun add", addForDevelopment: "bun add -d" },
  "bun.lockb": { all: "bun install", add: "bun add", addForDevelopment: "bun add -d" },
  "package-lock.json": { all: "npm install", add: "npm install", addForDevelopment: "npm install -D" },
};

/**
 * Returns the commands of the package manager that a project uses, according to the nearest lock file; npm by default.
 *
 * @param root the project folder, absolute
 */
export function findInstallCommands(root: string): Commands {
  for (const folder of listFolders(root))
    for (const [lockFile, commands] of Object.entries(COMMANDS))
      if (existsSync(join(folder, lockFile))) return commands;
  return COMMANDS["package-lock.json"] as Commands;
}

/** Returns whether Yarn has installed packages only as archives, which TypeScript and bundlers cannot read. */
export function isPlugAndPlay(root: string): boolean {
  return listFolders(root).some((folder) => existsSync(join(folder, ".pnp.cjs")));
}

/** Finds an installed package, or a link to it, in the nearest `node_modules` folder that contains it. */
export function findInstalledFolder(name: string, from: string): string | undefined {
  const candidates = listFolders(from).map((folder) => join(folder, "node_modules", name));
  return candidates.find((folder) => existsSync(folder));
}

/** Returns a folder and its parents, nearest first. */
function listFolders(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listFolders(above)];
}
