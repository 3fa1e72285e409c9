import { readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import { context, type BuildOptions, type BuildResult, type Metafile, type Plugin } from "esbuild";
import { authorSources } from "./author-sources.js";
import { choosePackages, type PackageChoice } from "./bundled-packages.js";
import { type ExternalFiles, findExternalFiles } from "./external-files.js";
import { generatedModules, UNBUNDLED, VIEWS_AND_SKILLS } from "./generated-modules.js";
import { toBundlingFailure } from "./bundling-failure.js";
import { type NeededPackage, listNeededPackages, findPackageImports } from "./needed-packages.js";
import { startChunk } from "./start-chunk.js";
import { npmPackages, type PackageNames } from "./npm-packages.js";
import { getConditions, keepsNames, OUTPUT } from "./output.js";
import { readJsonFile } from "../files/json-file.js";

/** The options of a bundler. */
export interface BundlerOptions {
  /** The project folder, absolute. */
  root: string;
  /** The folder that the result will be written to, absolute. Only source maps and module locations depend on it. */
  outDir: string;
  /** Generated modules to start from; each becomes a file of that name. Default: `server.js` and `app.js`. */
  entries?: readonly string[];
  /** Whether to bundle npm packages that work without being installed. Otherwise, the result runs only inside the project. */
  bundlePackages?: boolean;
  /** Creates one file for each entry, without source maps, and no other files. */
  oneFile?: OneFileOptions;
  /** Whether to import Tenon's runtime from where it is installed. The build is faster, and runs only inside the project. */
  installedRuntime?: boolean;
  /** Whether source maps contain the sources. Default: true. */
  sourcesContent?: boolean;
  /** Whether error messages have colors. */
  color?: boolean;
  /** Additional esbuild plugins, which run before the others. */
  plugins?: readonly Plugin[];
}

/** The options for a bundle of one file. */
export interface OneFileOptions {
  /**
   * Called with the reasons why packages may not work without being installed; throws to reject them. If present, the bundle
   * contains every npm package.
   */
  acceptPackages?(reasons: PackageChoice["reasons"]): void;
  /** The conditions that select an entry in the `exports` of a package. Default: `module`. */
  conditions?: string[];
  /** Whether the HTML of views stays in modules next to the file, so that it is loaded on demand. */
  keepsViews?: boolean;
}

/** The result of one build. */
export interface Bundle extends ExternalFiles {
  /** The files to write, relative to `outDir`. */
  files: FileTree;
  /** The npm packages that the bundle does not contain and the server needs. */
  needed: NeededPackage[];
  /** The bundled files, by absolute path, with the specifiers of the modules that each imports from outside the bundle. */
  sources: ReadonlyMap<string, readonly string[]>;
}

/** A bundler of one project. Repeated builds compile only changed files. */
export interface Bundler {
  /**
   * Bundles the project.
   *
   * @param modules the modules that the compiler emitted, relative to `dist/`
   * @param edits the compiler's edits of the author's sources
   * @throws Failure with every error if the sources cannot be bundled
   */
  bundle(modules: FileTree, edits?: SourceEdits): Promise<Bundle>;
  dispose(): Promise<void>;
}

const ENTRIES = ["server.js", "app.js"];
const NO_PACKAGES: PackageChoice = { bundled: new Set(), reasons: new Map() };
const EVERY_PACKAGE: PackageNames = { has: () => true };
/** A build without bundled packages stays in the project, so none of its files are external. */
const NO_EXTERNAL_FILES: ExternalFiles = {
  ownFiles: [],
  externalFiles: [],
  locatedModules: [],
  copiedFiles: new Map(),
  unbuiltFiles: [],
};

/**
 * Creates a bundler that combines the generated modules, the author's sources, and the runtime into ES modules for Node 20.
 * Unless npm packages are bundled, too, the server loads them from `node_modules` when it starts.
 */
export async function createBundler(options: BundlerOptions): Promise<Bundler> {
  const { root, outDir, oneFile, bundlePackages = false } = options;
  const unbundled =
    oneFile === undefined ? UNBUNDLED : oneFile.keepsViews === true ? VIEWS_AND_SKILLS : undefined;
  let modules: FileTree = new Map();
  let edits: SourceEdits = new Map();
  let bundled: PackageNames = NO_PACKAGES.bundled;
  const build = await context({
    ...OUTPUT,
    ...(oneFile && ONE_FILE),
    absWorkingDir: root,
    // The names are explicit, because those that esbuild derives from paths leave the folder if its name contains `"` or `:`. The paths
    // are relative, because esbuild would read a `*` in the name of the folder as a pattern.
    entryPoints: (options.entries ?? ENTRIES).map((name) => ({
      in: `./dist/${name}`,
      out: basename(name, ".js"),
    })),
    outdir: outDir,
    metafile: true,
    conditions: [
      ...(oneFile?.conditions ?? []),
      ...getConditions(root, { bundlesPackages: bundlePackages && oneFile?.conditions === undefined }),
    ],
    keepNames: keepsNames(root),
    sourcesContent: options.sourcesContent ?? true,
    plugins: [
      ...(options.plugins ?? []),
      generatedModules(root, () => modules, unbundled),
      ...(oneFile === undefined && options.installedRuntime !== true ? [startChunk()] : []),
      npmPackages({
        root,
        inPlace: !bundlePackages,
        installedRuntime: options.installedRuntime,
        getBundled: () => bundled,
      }),
      authorSources(root, outDir, !bundlePackages, () => edits),
    ],
  });
  const rebuild = async (): Promise<BuildResult<{ metafile: true; write: false }>> => {
    try {
      return await build.rebuild();
    } catch (error) {
      throw await toBundlingFailure(error, options.color ?? false);
    }
  };
  return {
    async bundle(emitted, sourceEdits = new Map()) {
      modules = emitted;
      edits = sourceEdits;
      bundled = NO_PACKAGES.bundled;
      let choice = NO_PACKAGES;
      let { outputFiles, metafile } = await rebuild();
      const imports = findPackageImports(metafile, root);
      if (bundlePackages && imports.length > 0) {
        choice = await choosePackages(imports, root);
        oneFile?.acceptPackages?.(choice.reasons);
        bundled = oneFile?.acceptPackages === undefined ? choice.bundled : EVERY_PACKAGE;
        if (bundled === EVERY_PACKAGE || choice.bundled.size > 0)
          ({ outputFiles, metafile } = await rebuild());
      }
      const separate = [...emitted].filter(([name]) => unbundled?.test(name));
      const files: FileTree = new Map([...separate, ...(oneFile ? [] : listOtherFiles(emitted, root))]);
      for (const { path, contents } of outputFiles)
        files.set(relative(outDir, path).replaceAll("\\", "/"), contents);
      const external = bundlePackages ? await findExternalFiles(metafile, root) : NO_EXTERNAL_FILES;
      for (const [target, file] of oneFile ? [] : external.copiedFiles)
        if (!files.has(target)) files.set(target, readFileSync(file));
      return {
        files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
        needed: listNeededPackages(metafile, choice, root),
        sources: listSources(metafile, root),
        ...external,
      };
    },
    dispose: () => build.dispose(),
  };
}

/**
 * Bundles a project once.
 *
 * @throws Failure with every error if the sources cannot be bundled
 */
export async function bundleOnce(
  options: BundlerOptions,
  modules: FileTree,
  edits?: SourceEdits,
): Promise<Bundle> {
  const bundler = await createBundler(options);
  return bundler.bundle(modules, edits).finally(() => bundler.dispose());
}

const ONE_FILE = {
  splitting: false,
  sourcemap: false,
  legalComments: "eof",
} as const satisfies BuildOptions;

/** Returns the files of a build that are not modules. */
function listOtherFiles(emitted: FileTree, root: string): FileTree {
  const files = new Map([...emitted].filter(([name]) => !name.endsWith(".js")));
  // Without `"type": "module"`, Node would load the server as CommonJS.
  const { type } = readJsonFile(join(root, "package.json")) as { type?: string };
  return type === "module" ? files : files.set("package.json", `${JSON.stringify({ type: "module" })}\n`);
}

function listSources({ inputs }: Metafile, root: string): Map<string, string[]> {
  return new Map(
    Object.entries(inputs).map(([path, { imports }]) => [
      resolve(root, path),
      imports.flatMap(({ path: imported, external }) => (external ? [imported] : [])),
    ]),
  );
}
