import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createCompiler, type Compilation } from "@tenon/compiler";

const workspace = join(import.meta.dirname, "../..");

/** A project folder of its own in the temporary folder, with the workspace's packages installed. */
export interface ScratchProject {
  readonly root: string;
  /** Replaces everything under `src/` with these files (paths relative to the project) and compiles. */
  compile(files: Record<string, string>): Compilation;
  remove(): void;
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src"],
};

/**
 * One compiler serves all cases of a scratch project: libraries are parsed once, which is what makes a case
 * cost milliseconds.
 */
export function createScratchProject(
  name: string,
  compilerOptions: Record<string, unknown> = {},
): ScratchProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `tenon-${name}-`)));
  mkdirSync(join(root, "src"));
  symlinkSync(join(workspace, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ name, version: "1.0.0", type: "module" }));
  const tsconfig = { ...TSCONFIG, compilerOptions: { ...TSCONFIG.compilerOptions, ...compilerOptions } };
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify(tsconfig));
  const compiler = createCompiler({ root });
  let previous: string[] = [];
  return {
    root,
    compile(files) {
      for (const path of previous) rmSync(path);
      const written = Object.entries(files).map(([path, text]) => {
        const target = join(root, path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
        return target;
      });
      compiler.refresh([...new Set([...previous, ...written])]);
      previous = written;
      return compiler.compile();
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
