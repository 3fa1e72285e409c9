import { join, resolve } from "node:path";
import { compile, type Compilation, type FileTree } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { createBundler } from "./bundle.js";
import { writeBuild } from "./built-files.js";
import { hasErrors } from "./print-diagnostics.js";
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
  /** The files that are new or differ from the build before. */
  written: string[];
}

/**
 * Compiles and bundles a project and writes the server.
 *
 * @throws Failure when the sources are right but cannot be bundled
 * @example
 * const { compilation, written } = await buildProject({ root: "examples/notes" });
 * if (written.length > 0) await import("./examples/notes/dist/app.js");
 */
export async function buildProject(options: BuildProjectOptions): Promise<BuiltProject> {
  const root = projectRoot(options.root);
  const outDir = options.outDir ? resolve(options.outDir) : join(root, "dist");
  const { profile, extraEntries = new Map() } = options;
  // A process of its own: it starts while the sources are read, and bundles while their types are checked.
  const starting = createBundler({
    root,
    outDir,
    entries: ["server.js", "app.js", ...extraEntries.keys()],
    color: options.color ?? false,
  });
  try {
    const {
      emit,
      checked: check,
      ...looked
    } = compile({ root, typeCheck: false, ...(profile && { profile }) });
    const emitted = await emit?.();
    const bundler = await starting;
    const [bundled, checked] = await Promise.allSettled([
      emitted && bundler.bundle(new Map([...emitted, ...extraEntries]), looked.insertions),
      (options.typeCheck ?? true) ? check() : looked.diagnostics,
    ]);
    if (checked.status === "rejected") throw checked.reason;
    const compilation = { ...looked, diagnostics: checked.value };
    if (hasErrors(checked.value)) return { compilation, written: [] };
    if (bundled.status === "rejected") throw bundled.reason;
    if (!bundled.value) return { compilation, written: [] };
    return { compilation, files: bundled.value, written: writeBuild(bundled.value, outDir) };
  } finally {
    await (await starting).dispose();
  }
}
