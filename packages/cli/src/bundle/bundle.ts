import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import { context, formatMessages, type BuildFailure } from "esbuild";
import { authorSources } from "./author-sources.js";
import { generatedModules, VALIDATORS } from "./generated-modules.js";
import { npmPackages } from "./npm-packages.js";
import { OUTPUT } from "./output.js";
import { Failure } from "../terminal/failure.js";

export interface BundlerOptions {
  /** The project folder, absolute. */
  root: string;
  /** Where the result will be written, absolute. Only source maps and module locations depend on it. */
  outDir: string;
  /** Generated modules to start from; each becomes a file of that name. Default `server.js` and `app.js`. */
  entries?: readonly string[];
  /** Leaves Tenon's runtime where it is installed: the result runs inside the project only, and is made faster. */
  installedRuntime?: boolean;
  /** Colours in error messages. */
  color?: boolean;
}

/** Bundles one project again and again, each time only what has changed. */
export interface Bundler {
  /**
   * @param modules what the compiler emitted, relative to `dist/`
   * @param edits what the compiler wants changed in the author's sources
   * @returns the files to write, relative to `outDir`
   * @throws Failure when the sources cannot be bundled, with every reason
   */
  bundle(modules: FileTree, edits?: SourceEdits): Promise<FileTree>;
  dispose(): Promise<void>;
}

const ENTRIES = ["server.js", "app.js"];

/** For the project's own tests, which import the server. */
const APP_TYPES = `import type { Server } from "@tenon/runtime/server";

export declare const server: Server;
`;

/**
 * Joins the generated modules, the author's sources and the runtime into ES modules for Node 20. Packages
 * from npm stay outside and are found in `node_modules` when the server starts.
 */
export async function createBundler(options: BundlerOptions): Promise<Bundler> {
  const { root, outDir } = options;
  let modules: FileTree = new Map();
  let edits: SourceEdits = new Map();
  const build = await context({
    absWorkingDir: root,
    entryPoints: (options.entries ?? ENTRIES).map((name) => join(root, "dist", name)),
    outdir: outDir,
    outbase: join(root, "dist"),
    ...OUTPUT,
    plugins: [
      generatedModules(root, () => modules),
      npmPackages(options.installedRuntime),
      authorSources(root, outDir, () => edits),
    ],
  });
  return {
    async bundle(emitted, sourceEdits = new Map()) {
      modules = emitted;
      edits = sourceEdits;
      const { outputFiles } = await build.rebuild().catch(async (error: unknown) => {
        throw await bundlingFailure(error, options.color ?? false);
      });
      const files: FileTree = new Map();
      for (const { path, contents } of outputFiles ?? [])
        files.set(relative(outDir, path).replaceAll("\\", "/"), contents);
      files.set("app.d.ts", APP_TYPES);
      for (const [name, content] of emitted)
        if (name === VALIDATORS || !name.endsWith(".js")) files.set(name, content);
      if (!isModulePackage(root)) files.set("package.json", `${JSON.stringify({ type: "module" })}\n`);
      return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    dispose: () => build.dispose(),
  };
}

/** Without `"type": "module"` Node would take the server for CommonJS. */
export function isModulePackage(root: string): boolean {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return (JSON.parse(text) as { type?: string }).type === "module";
}

/** What esbuild could not do, as a failure that shows every reason; any other error as it is. */
export async function bundlingFailure(error: unknown, color: boolean): Promise<unknown> {
  if (!(error instanceof Error) || !("errors" in error)) return error;
  const messages = await formatMessages((error as BuildFailure).errors, { kind: "error", color });
  return new Failure(`The project cannot be bundled.\n\n${messages.join("").trimEnd()}`, { cause: error });
}
