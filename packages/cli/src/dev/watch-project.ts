import { join } from "node:path";
import { watch } from "chokidar";

/** Long enough for an editor that writes a file in two steps, too short to notice. */
const QUIET_MS = 30;

/** What changed while nothing was reported. */
export interface ProjectChange {
  /** Absolute paths of the files that are new, different or gone. */
  files: string[];
  /** True when the project's settings changed, so that everything has to be read again. */
  settings: boolean;
}

export interface ProjectWatcher {
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
  const settings = [join(root, "package.json"), join(root, "tsconfig.json")];
  const watcher = watch([join(root, "src"), ...settings], { ignoreInitial: true });
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  const report = async (): Promise<void> => {
    while (pending.size > 0) {
      const files = [...pending].sort();
      pending.clear();
      await onChange({ files, settings: files.some((file) => settings.includes(file)) });
    }
    working = undefined;
  };
  watcher.on("all", (event, path) => {
    if (event !== "add" && event !== "change" && event !== "unlink") return;
    pending.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      working ??= report();
    }, QUIET_MS);
  });
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  return {
    async close() {
      clearTimeout(timer);
      pending.clear();
      await watcher.close();
      await working;
    },
  };
}
