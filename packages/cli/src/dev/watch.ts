import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { findConfigFiles } from "@tenon/compiler";
import { type ChokidarOptions, type FSWatcher, watch } from "chokidar";
import { CLOCK_TICK_MS } from "../files/clock-tick.js";
import { isCyclicLink } from "../files/is-cyclic-link.js";
import { isInside } from "../files/is-inside.js";
import { findInstallRecords } from "./install-records.js";
import { rememberFolders } from "./replaced-folders.js";
import { findWorkspacePackages } from "./workspace-packages.js";

/** Delay for editors that write a file in two steps. */
const DEBOUNCE_MS = 10;
/** Delay after changes to several files, which a tool writes one after another. */
const DEBOUNCE_SEVERAL_MS = 30;
/** Delay after a file becomes empty, which is usually followed by its content. */
const DEBOUNCE_EMPTY_MS = 100;
/** Time after a change during which chokidar may miss another change to the same file. */
const RECHECK_DELAY_MS = 60;

/** The changes since the last report. */
export interface ProjectChange {
  /** The absolute paths of new, changed, and removed files. */
  files: string[];
  /** Whether the settings of the project changed, so that everything must be read again. */
  settings: boolean;
  /** Returns whether any of these files has changed since the last report or call. */
  isOutdated(): boolean;
}

/** A watcher of a project and of the packages that it imports. */
export interface ProjectWatcher {
  /**
   * Also watches these files of other packages, their packages, and their settings. They stay watched, since a package that
   * is being rebuilt is missing for a moment.
   *
   * @param files absolute paths without symbolic links
   * @param since the earliest time at which they were read; later changes are reported even if they happened before watching began
   * @param views absolute paths of HTML files, which may be outside `src/`
   */
  follow(files: readonly string[], since: number, views?: readonly string[]): void;
  /** Whether changes have been noticed that are not reported yet. */
  readonly hasChanges: boolean;
  close(): Promise<void>;
}

/**
 * Watches the sources of a server, and reports changes after a pause. Changes while `onChange` runs are collected, so it
 * never runs concurrently.
 *
 * @param root the project folder, absolute
 */
export async function watchProject(
  root: string,
  onChange: (change: ProjectChange) => Promise<void>,
): Promise<ProjectWatcher> {
  const ownSettings = [join(root, "package.json"), join(root, "tsconfig.json")];
  const settings = new Set(ownSettings);
  /** Files with their own watcher. */
  const followedFiles = new Set(ownSettings);
  /** The server reads this file when it starts, if its author has chosen to. */
  const environment = join(root, ".env");
  const sources = join(root, "src");
  const skills = join(root, "skills");
  const isProjectFile = (path: string): boolean =>
    path === root ||
    isInside(path, sources) ||
    isInside(path, skills) ||
    path === environment ||
    ownSettings.includes(path);
  // The parent folder is also watched, because `src` may disappear and return, as when switching branches.
  const watcher = watchExcept((path) => !isProjectFile(path), root, { ignoreInitial: true });
  /** The watchers of other packages, by their folders and files. */
  const packageWatchers = new Map<string, FSWatcher>();
  const fileWatchers: FSWatcher[] = [];
  /** Whether modules of other packages may resolve differently now. */
  let mayResolveDifferently = false;
  const pending = new Set<string>();
  const rechecks = new Set<NodeJS.Timeout>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> | undefined;

  const report = async (): Promise<void> => {
    for (const rewatch of rewatches) rewatch();
    const files = [...pending].sort();
    pending.clear();
    recheckLater(files);
    const needsReset = mayResolveDifferently;
    mayResolveDifferently = false;
    const readStates = (): string => files.map(readState).join("\n");
    let known = readStates();
    const isOutdated = (): boolean => {
      const before = known;
      known = readStates();
      return known !== before;
    };
    await onChange({ files, settings: needsReset || files.some((file) => settings.has(file)), isOutdated });
    reporting = undefined;
    if (pending.size > 0) scheduleReport(DEBOUNCE_MS);
  };
  const scheduleReport = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (reporting || isClosed) return;
      if (ms < DEBOUNCE_EMPTY_MS && [...pending].some(isEmpty)) scheduleReport(DEBOUNCE_EMPTY_MS);
      else reporting = report();
    }, ms);
  };
  const addChange = (path: string): void => {
    pending.add(path);
    scheduleReport(pending.size > 1 ? DEBOUNCE_SEVERAL_MS : DEBOUNCE_MS);
  };
  /** Checks files again after a delay, since chokidar may miss another change to them. */
  const recheckLater = (files: readonly string[]): void => {
    const before = files.map((file) => ({ file, state: readState(file) }));
    const recheck = setTimeout(() => {
      rechecks.delete(recheck);
      for (const { file, state } of before) if (readState(file) !== state) addChange(file);
    }, RECHECK_DELAY_MS);
    rechecks.add(recheck);
  };
  watcher.on("all", (event, path) => {
    if (event === "add" || event === "change" || event === "unlink") addChange(path);
  });
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  /** Functions that watch replaced folders again. */
  const rewatches = [rememberFolders(watcher)];

  /** Reports the changes that a watcher finds, except those from before the files were read. */
  const reportChanges = (
    watcher: FSWatcher,
    since: number,
    recheck?: (event: string, path: string) => void,
  ): void => {
    let isReady = false;
    watcher.once("ready", () => (isReady = true));
    watcher.on("all", (event, path) => {
      if (event !== "add" && event !== "change" && event !== "unlink") return;
      if (event === "add" && !isReady && getModifiedTime(path) < since - CLOCK_TICK_MS) return;
      recheck?.(event, path);
      addChange(path);
    });
  };
  const followPackage = (folder: string, followed: readonly string[], since: number): void => {
    const packageJson = join(folder, "package.json");
    const isFollowed = (path: string): boolean =>
      path === packageJson ||
      followed.some((each) => isInside(each, path)) ||
      (followed.some((each) => isInside(path, each)) && !isExcluded(path.slice(folder.length)));
    const isOutside = (path: string): boolean => isInside(path, root) || !isFollowed(path);
    const watcher = watchExcept(isOutside, folder);
    reportChanges(watcher, since, (event, path) => {
      // TypeScript does not look again for files that it did not find before.
      mayResolveDifferently ||= path === packageJson || event !== "change";
    });
    watcher.once("ready", () => rewatches.push(rememberFolders(watcher)));
    for (const each of followed) packageWatchers.set(each, watcher);
  };
  /** Watches a file in another folder. Returns its path without symbolic links. */
  const followFile = (path: string, since: number): string => {
    const file = existsSync(path) ? realpathSync(path) : normalize(path);
    if (followedFiles.has(file)) return file;
    followedFiles.add(file);
    let folder = dirname(file);
    while (!existsSync(folder)) folder = dirname(folder);
    const watcher = watchExcept((each) => !isInside(file, each), folder);
    fileWatchers.push(watcher);
    reportChanges(watcher, since);
    return file;
  };
  return {
    follow(files, since, views = []) {
      if (isClosed) return;
      const packages = findWorkspacePackages(files, root);
      const configFiles = [root, ...packages.map(({ folder }) => folder)].flatMap(findConfigFiles);
      for (const each of [...configFiles, ...findInstallRecords(root)]) settings.add(followFile(each, since));
      for (const each of views) if (!isInside(each, sources)) followFile(each, since);
      for (const { folder, followed } of packages) {
        const newPaths = followed.filter((each) => !packageWatchers.has(each));
        if (newPaths.length > 0) followPackage(folder, newPaths, since);
      }
    },
    get hasChanges() {
      return pending.size > 0;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const each of rechecks) clearTimeout(each);
      pending.clear();
      await Promise.all(
        [watcher, ...fileWatchers, ...new Set(packageWatchers.values())].map((each) => each.close()),
      );
      await reporting;
    },
  };
}

/**
 * Watches what a folder contains, except for certain paths and links to folders around them.
 *
 * @param isIgnored gets absolute paths with the separators of the system
 */
function watchExcept(
  isIgnored: (path: string) => boolean,
  folder: string,
  options: ChokidarOptions = {},
): FSWatcher {
  const ignored = (path: string): boolean => isIgnored(normalize(path)) || isCyclicLink(path);
  return watch(folder, { ...options, ignored });
}

/** Returns whether a path is installed, hidden, or generated. */
function isExcluded(path: string): boolean {
  return /[\\/](?:node_modules|\.[^\\/]+)(?:[\\/]|$)|\.(?:map|tsbuildinfo)$/.test(path);
}

function getModifiedTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isEmpty(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0;
}

/** Returns a string that changes when the content of a file may have changed. */
function readState(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`;
}
