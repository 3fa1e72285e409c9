import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Diagnostic } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { type CachedWork, reuseOrCompute } from "../cache/build-cache.js";
import { hashContent, readProperty } from "../cache/inputs.js";
import { OWN_FOLDER } from "../files/own-folder.js";
import { removeAbandoned } from "../files/running-processes.js";
import { printErrors } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { callEntries } from "./load-server.js";

/** A build for calls in this process. */
export interface LoadableBuild {
  manifest: Manifest;
  /** The absolute path of its folder. */
  outDir: string;
}

/** The outcome of a build: plain JSON. */
export interface Outcome extends Partial<LoadableBuild> {
  diagnostics: Diagnostic[];
  /** The properties of the files, by path relative to the folder. */
  files: Record<string, string>;
}

/** Number of builds of ended processes that are kept, since other commands may still load their modules. */
const KEPT_BUILDS = 2;

/** The options of a build for calls. */
export interface CallWorkOptions {
  /** The ID of the calling process. Each process has its own folder, since another one may still load modules of an earlier build. */
  pid: number;
  /** Whether to color error messages. Default: false. */
  color?: boolean;
}

/**
 * Creates the cached work of `tenon call`.
 *
 * @param root the project folder, absolute
 */
export function createCallWork(root: string, { pid, color = false }: CallWorkOptions): CachedWork<Outcome> {
  const outDir = join(root, OWN_FOLDER, "call", String(pid));
  return {
    root,
    name: "call",
    options: {},
    async load() {
      const { buildProject } = await import("../project/build-project.js");
      const { inputReader } = await import("../bundle/input-reader.js");
      return async (compile) => {
        const { compilation, files = new Map<string, string>() } = await buildProject({
          root,
          outDir,
          typeCheck: false,
          bundlePackages: false,
          color,
          extraEntries: callEntries,
          ...(compile && { compile }),
          plugins: [inputReader()],
        });
        const { manifest, diagnostics } = compilation;
        const hashes = [...files].map(([path, content]) => [path, hashContent(content)] as const);
        const isBuilt = manifest !== undefined && files.size > 0;
        return { diagnostics, files: Object.fromEntries(hashes), ...(isBuilt && { manifest, outDir }) };
      };
    },
    isComplete: ({ files, outDir = "" }) =>
      Object.entries(files).every(([path, hash]) => readProperty("content", join(outDir, path)) === hash),
  };
}

/**
 * Builds a project for calls in this process, unless an earlier build is up to date, and prints its errors.
 *
 * @param root the project folder, absolute
 * @param verbose whether to report if the earlier build was reused
 * @returns the build, or undefined if the project has errors
 */
export async function buildForCalls(
  terminal: Terminal,
  root: string,
  verbose: boolean,
): Promise<LoadableBuild | undefined> {
  const { pid } = process;
  const work = createCallWork(root, { pid, color: terminal.err.color });
  const { manifest, diagnostics, outDir } = await reuseOrCompute(terminal, work, verbose);
  printErrors(terminal.err, diagnostics);
  if (!manifest || outDir === undefined) return undefined;
  if (basename(outDir) === String(pid)) removeOldBuilds(outDir);
  return { manifest, outDir };
}

/** Removes the builds of ended processes, except for the newest ones. */
function removeOldBuilds(outDir: string): void {
  const folder = dirname(outDir);
  const newest = readdirSync(folder)
    .map((name) => ({ name, time: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .slice(0, KEPT_BUILDS + 1);
  removeAbandoned(folder, [relative(folder, outDir), ...newest.map(({ name }) => name)]);
}
