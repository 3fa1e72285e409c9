import { join, resolve } from "node:path";
import type { Compilation, FileTree } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import type { Plugin } from "esbuild";
import { bundleOnce, type Bundle } from "../bundle/bundle.js";
import type { ExternalFile, UnbuiltFile } from "../bundle/external-files.js";
import type { NeededPackage } from "../bundle/needed-packages.js";
import { hasErrors } from "../terminal/print-diagnostics.js";
import { checkUnchanged } from "./changed-files.js";
import { checkOutputFolder, checkOutsideSources, writeBuild } from "./built-files.js";
import { compileProject } from "./compile-project.js";
import { emitWithViews } from "./emit-with-views.js";
import { resolveProjectRoot } from "./project-root.js";

/** The options of `buildProject`. */
export interface BuildProjectOptions {
  /** The project folder. */
  root: string;
  /** The output folder. Default: `<root>/dist`. */
  outDir?: string;
  /** Whether to report TypeScript's own errors as well. Default: true. */
  typeCheck?: boolean;
  /** The profile for the listed schemas, instead of the one that the project configures. */
  profile?: Profile;
  /** Whether to bundle npm packages that work without being installed. Default: true. */
  bundlePackages?: boolean;
  /** Additional modules for the output, by name, placed next to the generated ones. */
  extraEntries?: FileTree;
  /** Whether to color error messages. */
  color?: boolean;
  /** Compiles the project, without checking types. Default: `compileProject`. */
  compile?: () => Compilation;
  /** Additional esbuild plugins, which run before the others. */
  plugins?: readonly Plugin[];
}

/** The result of `buildProject`. */
export interface BuiltProject {
  /** The compilation, with TypeScript's own errors unless `typeCheck` is false. */
  compilation: Omit<Compilation, "emit" | "typeCheck">;
  /** The files of the build, relative to the output folder. Absent if there were errors; nothing is written then. */
  files?: FileTree;
  /** The npm packages that must be installed next to the server. Absent if there were errors. */
  needed?: NeededPackage[];
  /** The files that the server reads from other workspace packages. Absent if there were errors. */
  externalFiles?: ExternalFile[];
  /** The files of the project that its modules may expect next to them. Absent if there were errors. */
  unbuiltFiles?: UnbuiltFile[];
  /** The files that are new or differ from the previous build. */
  written: string[];
}

/**
 * Compiles and bundles a project, and writes the server.
 *
 * @throws Failure if correct sources cannot be bundled or change in the meantime, or the output folder contains files of another build
 * @example
 * const { compilation, written } = await buildProject({ root: "examples/notes" });
 * if (written.length > 0) console.log(compilation.manifest?.tools.length);
 */
export async function buildProject(options: BuildProjectOptions): Promise<BuiltProject> {
  const root = resolveProjectRoot(options.root);
  const outDir = options.outDir ? resolve(options.outDir) : join(root, "dist");
  checkOutsideSources(root, outDir);
  const { profile, extraEntries = new Map(), typeCheck = true, bundlePackages = true } = options;
  const { compile = () => compileProject(root, profile) } = options;
  const { emit, typeCheck: typeCheckProject, ...compiled } = compile();
  const { color = false, plugins = [] } = options;
  const {
    modules,
    manifest,
    diagnostics: found,
  } = await emitWithViews(compiled, emit, root, {
    color,
    plugins,
  });
  const bundle = async (emitted: FileTree): Promise<Bundle> => {
    const entries = ["server.js", "app.js", ...extraEntries.keys()];
    const settings = { root, outDir, entries, bundlePackages, color, plugins };
    return bundleOnce(settings, new Map([...emitted, ...extraEntries]), compiled.sourceEdits);
  };
  // The bundler is a separate process, which runs while types are checked in this one.
  const [bundled, diagnosed] = await Promise.allSettled([
    modules && bundle(modules),
    typeCheck ? typeCheckProject() : compiled.diagnostics,
  ]);
  if (diagnosed.status === "rejected") throw diagnosed.reason;
  const compilation = {
    ...compiled,
    ...(manifest && { manifest }),
    diagnostics: [...diagnosed.value, ...found],
  };
  if (hasErrors(compilation.diagnostics)) return { compilation, written: [] };
  checkUnchanged(compiled);
  if (bundled.status === "rejected") throw bundled.reason;
  if (!bundled.value) return { compilation, written: [] };
  const { files, needed, externalFiles, unbuiltFiles } = bundled.value;
  checkOutputFolder(files, outDir);
  return { compilation, files, needed, externalFiles, unbuiltFiles, written: writeBuild(files, outDir) };
}
