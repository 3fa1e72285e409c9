import { basename, join, relative } from "node:path";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import { context, type BuildResult } from "esbuild";
import { authorSources } from "./author-sources.js";
import { choosePackages, type PackageChoice } from "./bundled-packages.js";
import { filesLeftBehind, type LeftBehind, type OwnFile, ownFilesRead } from "./files-left-behind.js";
import { generatedModules, VALIDATORS } from "./generated-modules.js";
import { bundlingFailure } from "./bundling-failure.js";
import { type NeededPackage, neededPackages, packageImports } from "./needed-packages.js";
import { npmPackages } from "./npm-packages.js";
import { conditionsFor, keepsNames, OUTPUT } from "./output.js";
import { readJsonFile } from "../files/json-file.js";

export interface BundlerOptions {
  /** The project folder, absolute. */
  root: string;
  /** Where the result will be written, absolute. Only source maps and module locations depend on it. */
  outDir: string;
  /** Generated modules to start from; each becomes a file of that name. Default `server.js` and `app.js`. */
  entries?: readonly string[];
  /** Bundles the npm packages that work without being installed, too. Without, the result runs inside the project only. */
  bundlePackages?: boolean;
  /** Leaves Tenon's runtime where it is installed: the result runs inside the project only, and is made faster. */
  installedRuntime?: boolean;
  /** Puts the sources into the source maps. Default true. */
  sourcesContent?: boolean;
  /** Colours in error messages. */
  color?: boolean;
}

/** What came out of one build. */
export interface Bundle {
  /** The files to write, relative to `outDir`. */
  files: FileTree;
  /** The npm packages that the server needs beside them. */
  needed: NeededPackage[];
  /** What it reads from the folders of packages beside the project. Empty where packages are not bundled. */
  leftBehind: LeftBehind[];
  /** What its own modules read from the project's folder. */
  ownFiles: OwnFile[];
}

/** Bundles one project again and again, each time only what has changed. */
export interface Bundler {
  /**
   * @param modules what the compiler emitted, relative to `dist/`
   * @param edits what the compiler wants changed in the author's sources
   * @throws Failure when the sources cannot be bundled, with every reason
   */
  bundle(modules: FileTree, edits?: SourceEdits): Promise<Bundle>;
  dispose(): Promise<void>;
}

const ENTRIES = ["server.js", "app.js"];

/**
 * Joins the generated modules, the author's sources and the runtime into ES modules for Node 20. Packages
 * from npm stay outside and are found in `node_modules` when the server starts, unless they are to be bundled.
 */
export async function createBundler(options: BundlerOptions): Promise<Bundler> {
  const { root, outDir } = options;
  let modules: FileTree = new Map();
  let edits: SourceEdits = new Map();
  let choice: PackageChoice = { bundled: new Set(), reasons: new Map() };
  const build = await context({
    absWorkingDir: root,
    // With names of their own: those that esbuild makes of paths leave the folder where it has a `"` or a `:` in its name.
    entryPoints: (options.entries ?? ENTRIES).map((name) => ({
      in: join(root, "dist", name),
      out: basename(name, ".js"),
    })),
    outdir: outDir,
    ...OUTPUT,
    metafile: true,
    conditions: conditionsFor(root, { bundlesPackages: options.bundlePackages ?? false }),
    keepNames: keepsNames(root),
    sourcesContent: options.sourcesContent ?? true,
    plugins: [
      generatedModules(root, () => modules),
      npmPackages({
        root,
        inPlace: !options.bundlePackages,
        installedRuntime: options.installedRuntime,
        bundled: () => choice.bundled,
      }),
      authorSources(root, outDir, () => edits),
    ],
  });
  const rebuild = async (): Promise<BuildResult<{ metafile: true; write: false }>> => {
    try {
      return await build.rebuild();
    } catch (error) {
      throw await bundlingFailure(error, options.color ?? false);
    }
  };
  return {
    async bundle(emitted, sourceEdits = new Map()) {
      modules = emitted;
      edits = sourceEdits;
      choice = { bundled: new Set(), reasons: new Map() };
      let { outputFiles, metafile } = await rebuild();
      const imports = packageImports(metafile, root);
      if (options.bundlePackages && imports.length > 0) {
        choice = await choosePackages(imports, root);
        if (choice.bundled.size > 0) ({ outputFiles, metafile } = await rebuild());
      }
      const files: FileTree = new Map();
      for (const { path, contents } of outputFiles)
        files.set(relative(outDir, path).replaceAll("\\", "/"), contents);
      for (const [name, content] of emitted)
        if (name === VALIDATORS || !name.endsWith(".js")) files.set(name, content);
      if (!isModulePackage(root)) files.set("package.json", `${JSON.stringify({ type: "module" })}\n`);
      return {
        files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
        needed: neededPackages(metafile, choice, root),
        leftBehind: options.bundlePackages ? await filesLeftBehind(metafile, root) : [],
        ownFiles: options.bundlePackages ? await ownFilesRead(metafile, root) : [],
      };
    },
    dispose: () => build.dispose(),
  };
}

/** Without `"type": "module"` Node would take the server for CommonJS. */
function isModulePackage(root: string): boolean {
  return (readJsonFile(join(root, "package.json")) as { type?: string }).type === "module";
}
