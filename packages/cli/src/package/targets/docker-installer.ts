import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { findInstalledFolder } from "../../bundle/installed-packages.js";
import { findNearest } from "../../files/find-nearest.js";
import { formatList } from "../../terminal/text-format.js";
import type { PackageSettings } from "../settings/package-settings.js";

/** The commands that install the packages of a project in an image. */
export interface Installer {
  /** The files and folders that installing needs, relative to the project folder. */
  readonly manifests: readonly { readonly path: string; readonly isFolder: boolean }[];
  readonly install: string;
  /** The command that removes the packages that only development needs. */
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

/** Settings of package managers that affect what is installed. */
const SETTINGS = [".npmrc", ".yarnrc.yml", "pnpm-workspace.yaml", "bunfig.toml"];

const NO_LOCK_FILE =
  "There is no lock file, so every build installs the newest versions. Commit a lock file.";
const LOCK_FILE_IN_PARENT =
  "The lock file is in a parent folder, so the image is built without it. To install the locked versions, build from that folder.";

/** Finds the installer of a project by its lock file. */
export function findInstaller(root: string, settings: PackageSettings): Installer {
  const isPresent = (path: string): boolean => existsSync(join(root, path));
  const managers = [NPM, ...listOtherManagers(settings.packageManager)];
  const manager = managers.find(({ lockFiles }) => lockFiles.some(isPresent));
  const lockFiles = (manager ?? NPM).lockFiles.filter(isPresent);
  const manifests = [
    "package.json",
    ...lockFiles,
    ...SETTINGS.filter(isPresent),
    ...listLocalPackages(settings).filter(isPresent),
  ];
  const all = managers.flatMap((each) => each.lockFiles);
  const isLockedByParent = all.some((name) => findNearest(name, dirname(root)) !== undefined);
  const outside = listOutsidePackages(root, settings);
  const lockNotes = manager ? [] : [isLockedByParent ? LOCK_FILE_IN_PARENT : NO_LOCK_FILE];
  const notes = outside.length > 0 ? [describeOutsidePackages(outside)] : lockNotes;
  return {
    manifests: manifests.map((path) => ({ path, isFolder: statSync(join(root, path)).isDirectory() })),
    install: manager?.install ?? "npm install --no-audit --no-fund",
    prune: (manager ?? NPM).prune,
    notes,
  };
}

/**
 * Returns the package managers other than npm, with the version that package.json names.
 *
 * @param packageManager the value in package.json, such as `pnpm@10.2.0+sha512…`
 */
function listOtherManagers(packageManager = ""): Manager[] {
  const [, name = "", version = ""] = /^(\w+)@([\w.-]+)/.exec(packageManager) ?? [];
  const getVersion = (manager: string, fallback: string): string => (name === manager ? version : fallback);
  const pnpm = `npm install --global pnpm@${getVersion("pnpm", "latest")}`;
  const bun = `npm install --global bun@${getVersion("bun", "latest")}`;
  const yarn = getVersion("yarn", "1");
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

/** Returns the names of packages that are installed from outside the project folder, such as those of a workspace. */
function listOutsidePackages(root: string, { dependencies, devDependencies }: PackageSettings): string[] {
  return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, range]) => {
    if (/^file:(?:\.\.|\/)/.test(range)) return name;
    const folder = findInstalledFolder(name, root);
    const path = folder === undefined ? "" : relative(realpathSync(root), realpathSync(folder));
    return path.startsWith("..") && !path.includes("node_modules") ? name : [];
  });
}

function describeOutsidePackages(names: readonly string[]): string {
  return (
    `\`docker build\` fails in this folder, because the image also needs ${formatList(names)} from other folders. ` +
    "Build from the folder that contains all of them, with a Dockerfile that copies them."
  );
}

/** Returns the paths of packages that are installed from the project's own files. */
function listLocalPackages({ dependencies, devDependencies }: PackageSettings): string[] {
  const paths = Object.values({ ...dependencies, ...devDependencies }).flatMap((range) =>
    range.startsWith("file:") ? range.slice("file:".length).replace(/^\.\//, "") : [],
  );
  const folders = paths.map((path) => (path.endsWith(".tgz") ? dirname(path) : path));
  return [...new Set(folders)].filter((path) => path !== "." && !path.startsWith(".."));
}
