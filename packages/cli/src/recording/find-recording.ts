import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Failure } from "../terminal/failure.js";
import { RECORDINGS_FOLDER } from "./format.js";

/**
 * Returns the path of a recording, or of the newest one in a folder.
 *
 * @param root the project folder, whose recordings are used by default
 * @param file the recording or the folder, absolute or relative to `cwd`
 * @throws Failure if there is none
 */
export function findRecording(root: string, file: string | undefined, cwd: string): string {
  if (file === undefined) return findNewestRecording(join(root, RECORDINGS_FOLDER), cwd);
  const path = resolve(cwd, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Failure(`${formatPath(path, cwd)} does not exist.`, { exitCode: 2 });
  return found.isDirectory() ? findNewestRecording(path, cwd) : path;
}

function findNewestRecording(folder: string, cwd: string): string {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
  const files = names.map((name) => join(folder, name));
  const newest = files.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (newest !== undefined) return newest;
  throw new Failure(`No recording was found in ${formatPath(folder, cwd)}.`, {
    hint: "Record a session with `tenon dev --record`, or name a file.",
  });
}

/** Returns a path to show: relative to the current folder, unless it is outside that folder's parent. */
export function formatPath(path: string, cwd: string): string {
  const short = relative(cwd, path).replaceAll("\\", "/");
  return short.startsWith("../../") ? path : short;
}
