import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

interface Commands {
  /** Installs what package.json lists. */
  all: string;
  /** Adds a package. */
  add: string;
  /** Adds a package that only development needs. */
  addForDevelopment: string;
}

const COMMANDS: Record<string, Commands> = {
  "pnpm-lock.yaml": { all: "pnpm install", add: "pnpm add", addForDevelopment: "pnpm add -D" },
  "yarn.lock": { all: "yarn install", add: "yarn add", addForDevelopment: "yarn add -D" },
  "bun.lock": { all: "bun install", add: "bun add", addForDevelopment: "bun add -d" },
  "bun.lockb": { all: "bun install", add: "bun add", addForDevelopment: "bun add -d" },
  "package-lock.json": { all: "npm install", add: "npm install", addForDevelopment: "npm install -D" },
};

/**
 * The commands of the package manager that a project is installed with, by the nearest lock file; npm's without one.
 *
 * @param root the project folder, absolute
 */
export function installCommands(root: string): Commands {
  for (const folder of foldersFrom(root))
    for (const [lockFile, commands] of Object.entries(COMMANDS))
      if (existsSync(join(folder, lockFile))) return commands;
  return COMMANDS["package-lock.json"] as Commands;
}

/** Whether Yarn has installed the packages in archives alone, which neither TypeScript nor bundlers look into. */
export function isPlugAndPlay(root: string): boolean {
  return foldersFrom(root).some((folder) => existsSync(join(folder, ".pnp.cjs")));
}

/** The folder and those around it, the nearest first. */
function foldersFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}
