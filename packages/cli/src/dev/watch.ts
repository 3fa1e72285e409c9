import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { configFiles } from "@tenon/compiler";
import { type FSWatcher, watch } from "chokidar";
import { CLOCK_TICK_MS } from "../files/clock-tick.js";
import { isInside } from "../files/is-inside.js";
import { siblingsOf } from "./siblings.js";

/** Long enough for an editor that writes a file in two steps. */
const QUIET_MS = 10;
/** Several files are changed by a tool, which takes longer than that from one to the next. */
const QUIET_AMONG_SEVERAL_MS = 30;
/** A file without content is most often one whose content comes next. */
const QUIET_WHILE_EMPTY_MS = 100;
/** For so long after a change of a file, chokidar may leave out another change of it. */
const UNSEEN_MS = 60;

/** What changed while nothing was reported. */
export interface ProjectChange {
  /** Absolute paths of the files that are new, different or gone. */
  files: string[];
  /** True when the project's settings changed, so that everything has to be read again. */
  settings: boolean;
  /** Whether any of these files has changed since it was reported, or since this was asked last. */
  isOutdated(): boolean;
}

export interface ProjectWatcher {
  /**
   * Watches these files beside the project, too, what belongs to them, and the settings that all of it is compiled with,
   * from now on: what is being built again is gone for a moment, so nothing is ever left out again.
   *
   * @param files absolute, with the links in them followed
   * @param since when they were read, at the earliest; later changes are reported even if they come before the watching
   */
  follow(files: readonly string[], since: number): void;
  close(): Promise<void>;
}

/**
 * Watches what a server is made from, and reports changes once they have come to rest. While `onChange` is
 * at work further changes are gathered, so it never runs twice at once.
 *
 * @param root absolute
 */
export async function watchProject(
  root: string,
  onChange: (change: ProjectChange) => Promise<void>,
): Promise<ProjectWatcher> {
  const own = [join(root, "package.json"), join(root, "tsconfig.json")];
  const settings = new Set(own);
  const sources = join(root, "src");
  const isOurs = (path: string): boolean => path === root || isInside(path, sources) || own.includes(path);
  // The folder around it is watched, too: `src` may go and come back, as with a checkout of another branch.
  const watcher = watch(root, { ignoreInitial: true, ignored: (path) => !isOurs(normalize(path)) });
  /** What is watched beside the project, by the folders and files of it. */
  const beside = new Map<string, FSWatcher>();
  const elsewhere: FSWatcher[] = [];
  /** Modules of what is beside the project may be found in other places now. */
  let isMoved = false;
  const pending = new Set<string>();
  const rechecks = new Set<NodeJS.Timeout>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  const report = async (): Promise<void> => {
    const files = [...pending].sort();
    pending.clear();
    recheckLater(files);
    const hasMoved = isMoved;
    isMoved = false;
    const states = (): string => files.map(stateOf).join("\n");
    let known = states();
    const isOutdated = (): boolean => {
      const before = known;
      known = states();
      return known !== before;
    };
    await onChange({ files, settings: hasMoved || files.some((file) => settings.has(file)), isOutdated });
    working = undefined;
    if (pending.size > 0) wait(QUIET_MS);
  };
  const wait = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (working || closed) return;
      if (ms < QUIET_WHILE_EMPTY_MS && [...pending].some(isEmpty)) wait(QUIET_WHILE_EMPTY_MS);
      else working = report();
    }, ms);
  };
  const note = (path: string): void => {
    pending.add(path);
    wait(pending.size > 1 ? QUIET_AMONG_SEVERAL_MS : QUIET_MS);
  };
  /** Compares the files with what they are at this moment, before anybody has read them. */
  const recheckLater = (files: readonly string[]): void => {
    const before = files.map((file) => ({ file, state: stateOf(file) }));
    const look = setTimeout(() => {
      rechecks.delete(look);
      for (const { file, state } of before) if (stateOf(file) !== state) note(file);
    }, UNSEEN_MS);
    rechecks.add(look);
  };
  watcher.on("all", (event, path) => {
    if (event === "add" || event === "change" || event === "unlink") note(path);
  });
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));

  /** Of what is watched from now on, changes count that came after it was read. */
  const noteFrom = (
    watcher: FSWatcher,
    since: number,
    look?: (event: string, path: string) => void,
  ): void => {
    let isReady = false;
    watcher.once("ready", () => (isReady = true));
    watcher.on("all", (event, path) => {
      if (event !== "add" && event !== "change" && event !== "unlink") return;
      if (event === "add" && !isReady && changedAt(path) < since - CLOCK_TICK_MS) return;
      look?.(event, path);
      note(path);
    });
  };
  const followOne = (folder: string, followed: readonly string[], since: number): void => {
    const description = join(folder, "package.json");
    const isFollowed = (path: string): boolean =>
      path === description ||
      followed.some((each) => isInside(each, path)) ||
      (followed.some((each) => isInside(path, each)) && !isLeftOut(path.slice(folder.length)));
    const isOutside = (path: string): boolean => isInside(path, root) || !isFollowed(path);
    const watcher = watch(folder, { ignored: (path) => isOutside(normalize(path)) });
    noteFrom(watcher, since, (event, path) => {
      // Where TypeScript has found no file before, it does not look for it again.
      isMoved ||= path === description || event !== "change";
    });
    for (const each of followed) beside.set(each, watcher);
  };
  /** Settings that are elsewhere, such as a tsconfig.json that others extend. */
  const followSettings = (path: string, since: number): void => {
    const file = existsSync(path) ? realpathSync(path) : normalize(path);
    if (settings.has(file)) return;
    settings.add(file);
    let folder = dirname(file);
    while (!existsSync(folder)) folder = dirname(folder);
    const watcher = watch(folder, { ignored: (each) => !isInside(file, normalize(each)) });
    elsewhere.push(watcher);
    noteFrom(watcher, since);
  };
  return {
    follow(files, since) {
      if (closed) return;
      const siblings = siblingsOf(files, root);
      for (const each of [root, ...siblings.map(({ folder }) => folder)].flatMap(configFiles))
        followSettings(each, since);
      for (const { folder, followed } of siblings) {
        const more = followed.filter((each) => !beside.has(each));
        if (more.length > 0) followOne(folder, more, since);
      }
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      for (const each of rechecks) clearTimeout(each);
      pending.clear();
      await Promise.all([watcher, ...elsewhere, ...new Set(beside.values())].map((each) => each.close()));
      await working;
    },
  };
}

/** What is installed, hidden, or written beside what is run. */
function isLeftOut(path: string): boolean {
  return /[\\/](?:node_modules|\.[^\\/]+)(?:[\\/]|$)|\.(?:map|tsbuildinfo)$/.test(path);
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isEmpty(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0;
}

/** Differs when the content may differ. */
function stateOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`;
}
