import { join, resolve } from "node:path";
import { compile, type Compilation, type FileTree } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { createBundler, type Bundle } from "../bundle/bundle.js";
import type { LeftBehind } from "../bundle/files-left-behind.js";
import type { NeededPackage } from "../bundle/needed-packages.js";
import { hasErrors } from "../terminal/print-diagnostics.js";
import { checkOutputFolder, writeBuild } from "./built-files.js";
import { projectRoot } from "./project-root.js";

export interface BuildProjectOptions {
  /** The project folder. */
  root: string;
  /** Default `<root>/dist`. */
  outDir?: string;
  /** Also report TypeScript's own errors. Default true. */
  typeCheck?: boolean;
  /** Which clients the listed schemas are written for, instead of those that the project names. */
  profile?: Profile;
  /** Bundles the npm packages that work without being installed, too. Default true. */
  bundlePackages?: boolean;
  /** Further modules for the output, by name, as if they lay beside the generated ones. */
  extraEntries?: FileTree;
  /** Colours in error messages. */
  color?: boolean;
}

export interface BuiltProject {
  /** With TypeScript's own errors, unless they were not asked for. */
  compilation: Omit<Compilation, "emit" | "checked">;
  /** What the build consists of, relative to the output folder. Absent when there were errors: nothing is written then. */
  files?: FileTree;
  /** The npm packages that the server needs beside its files. Absent when there were errors. */
  needed?: NeededPackage[];
  /** What the server reads from the folders of packages beside the project. Absent when there were errors. */
  leftBehind?: LeftBehind[];
  /** The files that are new or differ from the build before. */
  written: string[];
}

/**
 * Compiles and bundles a project and writes the server.
 *
 * @throws Failure when the sources are right but cannot be bundled, or the folder holds another build
 * @example
 * const { compilation, written } = await buildProject({ root: "examples/notes" });
 * if (written.length > 0) console.log(compilation.manifest?.tools.length);
 */
export async function buildProject(options: BuildProjectOptions): Promise<BuiltProject> {
  const root = projectRoot(options.root);
  const outDir = options.outDir ? resolve(options.outDir) : join(root, "dist");
  const { profile, extraEntries = new Map(), typeCheck = true, bundlePackages = true } = options;
  const { emit, checked, ...compiled } = compile({ root, typeCheck: false, ...(profile && { profile }) });
  const modules = await emit?.();
  const bundle = async (emitted: FileTree): Promise<Bundle> => {
    const entries = ["server.js", "app.js", ...extraEntries.keys()];
    const bundler = await createBundler({
      root,
      outDir,
      entries,
      bundlePackages,
      color: options.color ?? false,
    });
    try {
      return await bundler.bundle(new Map([...emitted, ...extraEntries]), compiled.sourceEdits);
    } finally {
      await bundler.dispose();
    }
  };
  // The bundler is a process of its own, which works while types are checked in this one.
  const [bundled, diagnosed] = await Promise.allSettled([
    modules && bundle(modules),
    typeCheck ? checked() : compiled.diagnostics,
  ]);
  if (diagnosed.status === "rejected") throw diagnosed.reason;
  const compilation = { ...compiled, diagnostics: diagnosed.value };
  if (hasErrors(diagnosed.value)) return { compilation, written: [] };
  if (bundled.status === "rejected") throw bundled.reason;
  if (!bundled.value) return { compilation, written: [] };
  const { files, needed, leftBehind } = bundled.value;
  checkOutputFolder(files, outDir);
  return { compilation, files, needed, leftBehind, written: writeBuild(files, outDir) };
}
