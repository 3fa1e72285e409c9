import { dirname, join } from "node:path";
import { writeFileTree, type FileTree, type SourceEdits } from "@tenon/compiler";
import { createBundler, type Bundler } from "../bundle/bundle.js";
import { OWN_FOLDER } from "../files/own-folder.js";
import { removeAbandoned, removeBuilds } from "../files/running-processes.js";

/** The builds of a server under development. */
export interface DevBuilds {
  /** Prepares the next build, in a new folder. */
  next(): DevBuild;
  /** Makes the next build read the settings of the project again. */
  reset(): Promise<void>;
  /** Removes all builds. */
  close(): Promise<void>;
}

/** One build, in its own folder. */
export interface DevBuild {
  /** The absolute path of the module that exports the server. */
  readonly module: string;
  /**
   * Bundles the emitted modules and writes them.
   *
   * @throws Failure with every reason why the sources cannot be bundled
   */
  write(modules: FileTree, edits: SourceEdits | undefined): Promise<void>;
  remove(): void;
}

/** The options of builds. */
export interface DevBuildsOptions {
  /** The project folder, absolute. */
  root: string;
  /** Whether to color error messages. */
  color: boolean;
}

const APP = "app.js";

/** Creates builds in `.tenon/dev/<process id>/<number>/`, since another dev server may serve the same project. */
export function createDevBuilds({ root, color }: DevBuildsOptions): DevBuilds {
  const folder = join(root, OWN_FOLDER, "dev", String(process.pid));
  removeAbandoned(dirname(folder));
  removeBuilds(folder);
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
          // Any folder of this depth works, since paths in the output are relative.
          bundler ??= await createBundler({ root, outDir, entries: [APP], installedRuntime: true, color });
          const { files } = await bundler.bundle(modules, edits);
          writeFileTree(files, outDir);
        },
        remove: () => removeBuilds(outDir),
      };
    },
    async close() {
      await reset();
      removeBuilds(folder);
    },
  };
}
