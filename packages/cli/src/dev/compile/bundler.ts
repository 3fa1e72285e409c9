import { join, relative } from "node:path";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import { context, type Plugin } from "esbuild";
import { authorSources } from "../../bundle/author-sources.js";
import { generatedModules, jsonModule } from "../../bundle/generated-modules.js";
import { npmPackages } from "../../bundle/npm-packages.js";
import { OUTPUT } from "../../bundle/output.js";
import { bundlingFailure, isModulePackage, type Bundler } from "../../bundle/bundle.js";

export interface DevBundlerOptions {
  /** The project folder, absolute. */
  root: string;
  /** A folder as deep as those the servers will be written to, absolute. */
  outDir: string;
  /** The modules of the runtime that the server finds beside it, by what they are imported as. */
  runtime: ReadonlyMap<string, string>;
  /** Colours in error messages. */
  color: boolean;
}

/** The module that exports the server. */
export const APP = "app.js";

const VALIDATORS_MODULE = "validators.js";
/** That module and the files that it reads when it needs them. */
const VALIDATORS = /^validators(?:-\w+\.cjs|\.js)$/;
const MANIFEST = "tenon.manifest.json";
const MANIFEST_MODULE = "tenon.manifest.js";

/**
 * Bundles what an edit can change, and nothing else: the author's sources. The runtime stays where it is, and
 * what the compiler wrote for Node needs no bundler.
 */
export async function createDevBundler(options: DevBundlerOptions): Promise<Bundler> {
  const { root, outDir, runtime } = options;
  let modules: FileTree = new Map();
  let edits: SourceEdits = new Map();
  const app = join(root, "dist", APP);
  const build = await context({
    absWorkingDir: root,
    entryPoints: [app],
    outdir: outDir,
    outbase: join(root, "dist"),
    ...OUTPUT,
    // They are where they were, and each edit would copy them and each start read them.
    sourcesContent: false,
    plugins: [
      besideTheApp(app),
      sharedRuntime(runtime),
      generatedModules(root, () => modules),
      npmPackages(),
      authorSources(root, outDir, () => edits),
    ],
  });
  return {
    async bundle(current, sourceEdits = new Map()) {
      modules = current;
      edits = sourceEdits;
      const { outputFiles } = await build.rebuild().catch(async (error: unknown) => {
        throw await bundlingFailure(error, options.color);
      });
      const files: FileTree = new Map();
      for (const { path, contents } of outputFiles ?? [])
        files.set(relative(outDir, path).replaceAll("\\", "/"), contents);
      for (const [name, content] of current) if (VALIDATORS.test(name)) files.set(name, content);
      files.set(MANIFEST_MODULE, jsonModule(current.get(MANIFEST) ?? "{}"));
      if (!isModulePackage(root)) files.set("package.json", `${JSON.stringify({ type: "module" })}\n`);
      return files;
    },
    dispose: () => build.dispose(),
  };
}

/** Leaves what the compiler generated beside the bundle, where the bundle imports it. */
function besideTheApp(app: string): Plugin {
  const names = new Map([
    [`./${VALIDATORS_MODULE}`, `./${VALIDATORS_MODULE}`],
    [`./${MANIFEST}`, `./${MANIFEST_MODULE}`],
  ]);
  return {
    name: "tenon-beside-the-app",
    setup(build) {
      build.onResolve({ filter: /^\.\/(?:validators\.js|tenon\.manifest\.json)$/ }, ({ path, importer }) => {
        const name = importer === app ? names.get(path) : undefined;
        return name === undefined ? undefined : { path: name, external: true };
      });
    },
  };
}

/**
 * Leaves the runtime to be found when the server starts. Another copy of it, as a package of the workspace may
 * have installed for itself, is bundled.
 */
function sharedRuntime(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: "tenon-shared-runtime",
    setup(build) {
      build.onResolve({ filter: /^@tenon\/runtime(?:\/|$)/ }, async (args) => {
        const shared = modules.get(args.path);
        if (shared === undefined || args.pluginData === ASKED) return undefined;
        const { path, importer, kind, resolveDir } = args;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
        return found.path === shared ? { path, external: true } : undefined;
      });
    },
  };
}

/** Marks a resolution this plugin asked for itself. */
const ASKED = Symbol("asked by dev-bundler");
