import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes folders that are named after processes which have ended.
 *
 * @param folder the absolute path of the folder that contains them; it may be missing
 * @param kept the names of folders to keep
 */
export function removeAbandoned(folder: string, kept: readonly string[] = []): void {
  for (const name of listNames(folder)) {
    if (!kept.includes(name) && !isRunning(Number(name))) removeBuilds(join(folder, name));
  }
}

/**
 * Removes a folder of a process. On Windows, another program may have a file in it open: then it stays until the next command
 * removes abandoned folders.
 */
export function removeBuilds(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    // A later command removes the folder, after its process has ended.
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns whether a process exists. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
