import { join, resolve } from "node:path";
import type { Compilation, FileTree } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { createBundler } from "../bundle/bundle.js";
import { startNativeCheck } from "./native-check.js";
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
  const { profile, extraEntries = new Map(), typeCheck = true } = options;
  // Two processes of their own. One looks at types while this one reads the sources, the other bundles afterwards.
  const native = typeCheck ? await startNativeCheck(root) : undefined;
  const starting = createBundler({
    root,
    outDir,
    entries: ["server.js", "app.js", ...extraEntries.keys()],
    color: options.color ?? false,
  });
  try {
    // Not before: loading TypeScript keeps this thread busy for a while.
    const [{ compile }, { writeBuild }, { hasErrors }] = await Promise.all([
      import("@tenon/compiler"),
      import("./built-files.js"),
      import("../terminal/print-diagnostics.js"),
    ]);
    const {
      emit,
      checked: check,
      ...looked
    } = compile({ root, typeCheck: false, ...(profile && { profile }) });
    const emitted = await emit?.();
    const bundler = await starting;
    const [bundled, checked] = await Promise.allSettled([
      emitted && bundler.bundle(new Map([...emitted, ...extraEntries]), looked.insertions),
      typeCheck ? check(native?.foundNothing) : looked.diagnostics,
    ]);
    if (checked.status === "rejected") throw checked.reason;
    const compilation = { ...looked, diagnostics: checked.value };
    if (hasErrors(checked.value)) return { compilation, written: [] };
    if (bundled.status === "rejected") throw bundled.reason;
    if (!bundled.value) return { compilation, written: [] };
    return { compilation, files: bundled.value, written: writeBuild(bundled.value, outDir) };
  } finally {
    native?.stop();
    await native?.ended;
    await (await starting).dispose();
  }
}
