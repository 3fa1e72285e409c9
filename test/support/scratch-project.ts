import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createCompiler, type Compilation } from "@tenon/compiler";
import { projectFolder } from "./project-folder.js";

/** A project folder that is compiled again and again. */
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
    jsx: "react-jsx",
    jsxImportSource: "preact",
  },
  include: ["src"],
};

/**
 * Creates a scratch project. One compiler serves all its cases and parses libraries once, so that a case takes
 * milliseconds.
 */
export function createScratchProject(
  name: string,
  compilerOptions: Record<string, unknown> = {},
): ScratchProject {
  const tsconfig = { ...TSCONFIG, compilerOptions: { ...TSCONFIG.compilerOptions, ...compilerOptions } };
  const { root, write, remove } = projectFolder({
    "package.json": JSON.stringify({ name, version: "1.0.0", type: "module" }),
    "tsconfig.json": JSON.stringify(tsconfig),
  });
  mkdirSync(join(root, "src"));
  const compiler = createCompiler({ root });
  let previous: string[] = [];
  return {
    root,
    compile(files) {
      for (const path of previous) rmSync(path);
      write(files);
      const written = Object.keys(files).map((path) => join(root, path));
      compiler.refresh([...new Set([...previous, ...written])]);
      previous = written;
      return compiler.compile();
    },
    remove,
  };
}
