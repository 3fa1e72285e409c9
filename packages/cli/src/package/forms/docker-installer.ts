import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PackageSettings } from "../settings/package-settings.js";

/** How the packages of a project are installed in an image. */
export interface Installer {
  /** What has to be there before; relative to the project folder. */
  readonly manifests: readonly { readonly path: string; readonly isFolder: boolean }[];
  readonly install: string;
  /** Takes away what only development needs. */
  readonly prune: string;
  readonly notes: readonly string[];
}

interface Manager {
  readonly lockFiles: readonly string[];
  readonly install: string;
  readonly prune: string;
}

const NPM: Manager = {
  lockFiles: ["package-lock.json", "npm-shrinkwrap.json"],
  install: "npm ci --no-audit --no-fund",
  prune: "npm prune --omit=dev --no-audit --no-fund",
};

/** Settings of package managers, which decide what is installed. */
const SETTINGS = [".npmrc", ".yarnrc.yml", "pnpm-workspace.yaml", "bunfig.toml"];

const NO_LOCK = "There is no lock file, so every build takes the newest versions: commit one.";
const LOCK_ABOVE =
  "The lock file lies in a folder above: the image is built without it. Build from there if the versions have to be the same.";

/** The installer of a project, by the lock file that is there. */
export function installerOf(root: string, settings: PackageSettings): Installer {
  const isThere = (path: string): boolean => existsSync(join(root, path));
  const managers = [NPM, ...otherManagers(settings.packageManager)];
  const manager = managers.find(({ lockFiles }) => lockFiles.some(isThere));
  const lockFiles = (manager ?? NPM).lockFiles.filter(isThere);
  const manifests = [
    "package.json",
    ...lockFiles,
    ...SETTINGS.filter(isThere),
    ...localPackages(settings).filter(isThere),
  ];
  const all = managers.flatMap((each) => each.lockFiles);
  const notes = manager ? [] : [all.some((name) => isAbove(root, name)) ? LOCK_ABOVE : NO_LOCK];
  return {
    manifests: manifests.map((path) => ({ path, isFolder: statSync(join(root, path)).isDirectory() })),
    install: manager?.install ?? "npm install --no-audit --no-fund",
    prune: (manager ?? NPM).prune,
    notes,
  };
}

/** @param named as package.json says it, such as `pnpm@10.2.0+sha512…` */
function otherManagers(named = ""): Manager[] {
  const [, name = "", version = ""] = /^(\w+)@([\w.-]+)/.exec(named) ?? [];
  const versionOf = (manager: string, fallback: string): string => (name === manager ? version : fallback);
  const pnpm = `npm install --global pnpm@${versionOf("pnpm", "latest")}`;
  const bun = `npm install --global bun@${versionOf("bun", "latest")}`;
  const yarn = versionOf("yarn", "1");
  return [
    {
      lockFiles: ["pnpm-lock.yaml"],
      install: `${pnpm} && pnpm install --frozen-lockfile`,
      prune: "pnpm prune --prod",
    },
    yarn.startsWith("1")
      ? {
          lockFiles: ["yarn.lock"],
          install: `npm install --global --force yarn@${yarn} && yarn install --frozen-lockfile`,
          prune: "yarn install --production --ignore-scripts --prefer-offline",
        }
      : {
          lockFiles: ["yarn.lock"],
          install: `npm install --global --force @yarnpkg/cli-dist@${yarn} && yarn install --immutable`,
          prune: "yarn workspaces focus --production",
        },
    {
      lockFiles: ["bun.lock", "bun.lockb"],
      install: `${bun} && bun install --frozen-lockfile`,
      prune: "rm -rf node_modules && bun install --production --frozen-lockfile",
    },
  ];
}

/** Packages that are installed from files of the project. */
function localPackages({ dependencies, devDependencies }: PackageSettings): string[] {
  const paths = Object.values({ ...dependencies, ...devDependencies }).flatMap((range) =>
    range.startsWith("file:") ? range.slice("file:".length).replace(/^\.\//, "") : [],
  );
  const folders = paths.map((path) => (path.endsWith(".tgz") ? dirname(path) : path));
  return [...new Set(folders)].filter((path) => path !== "." && !path.startsWith(".."));
}

function isAbove(root: string, name: string): boolean {
  for (let at = dirname(root); dirname(at) !== at; at = dirname(at))
    if (existsSync(join(at, name))) return true;
  return false;
}
