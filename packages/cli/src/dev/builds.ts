import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileTree, type FileTree, type SourceEdits } from "@tenon/compiler";
import { createBundler, type Bundler } from "../bundle/bundle.js";

/** The builds of a server under development. */
export interface DevBuilds {
  /** A folder for the next build. */
  next(): DevBuild;
  /** Lets the next build take the project's settings as they are then. */
  reset(): Promise<void>;
  /** Removes everything. */
  close(): Promise<void>;
}

/** One build, in a folder of its own. */
export interface DevBuild {
  /** The module that exports the server, absolute. */
  readonly module: string;
  /**
   * Bundles what the compiler emitted and writes it.
   *
   * @throws Failure when the sources cannot be bundled, with every reason
   */
  write(modules: FileTree, edits: SourceEdits | undefined): Promise<void>;
  remove(): void;
}

export interface DevBuildsOptions {
  /** The project folder, absolute. */
  root: string;
  /** Colours in error messages. */
  color: boolean;
}

const APP = "app.js";

/** Builds go to `.tenon/dev/<process id>/<number>/`: another development server may serve the same project. */
export function createDevBuilds({ root, color }: DevBuildsOptions): DevBuilds {
  const folder = join(root, ".tenon", "dev", String(process.pid));
  removeAbandoned(dirname(folder));
  rmSync(folder, { recursive: true, force: true });
  let bundler: Bundler | undefined;
  let count = 0;

  const reset = async (): Promise<void> => {
    const previous = bundler;
    bundler = undefined;
    await previous?.dispose();
  };
  return {
    reset,
    next() {
      count += 1;
      const outDir = join(folder, String(count));
      return {
        module: join(outDir, APP),
        async write(modules, edits) {
          // Any folder that lies as deep will do: paths in the output are relative.
          bundler ??= await createBundler({ root, outDir, entries: [APP], installedRuntime: true, color });
          const { files } = await bundler.bundle(modules, edits);
          writeFileTree(files, outDir);
        },
        remove: () => rmSync(outDir, { recursive: true, force: true }),
      };
    },
    async close() {
      await reset();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes what processes have left behind that could not do it themselves. */
function removeAbandoned(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!isRunning(Number(name))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
