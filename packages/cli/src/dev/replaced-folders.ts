import { statSync } from "node:fs";
import type { FSWatcher } from "chokidar";

/**
 * Remembers the folders of a watcher. A folder that is removed and created again at once, as when switching branches, looks
 * unchanged to chokidar, which then continues to watch the removed one.
 *
 * @returns a function that watches again what was replaced since the last call
 */
export function rememberFolders(watcher: FSWatcher): () => void {
  const known = new Map<string, string>();
  const rewatch = (): void => {
    for (const folder of Object.keys(watcher.getWatched())) {
      const found = statSync(folder, { throwIfNoEntry: false });
      if (found === undefined) continue;
      // Inodes alone are not enough, since file systems reuse them.
      const identity = `${found.ino} ${found.birthtimeMs}`;
      if ((known.get(folder) ?? identity) !== identity) watcher.unwatch(folder).add(folder);
      known.set(folder, identity);
    }
  };
  rewatch();
  return rewatch;
}
