import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const workspace = resolve(import.meta.dirname, "../..");

/** A project on disk, with the workspace's packages installed. */
export interface ProjectFolder {
  /** Absolute. */
  root: string;
  write(files: Record<string, string>): void;
  remove(): void;
}

/** @param files by path; package.json and tsconfig.json have defaults */
export function projectFolder(files: Record<string, string> = {}): ProjectFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-cli-")));
  symlinkSync(join(workspace, "node_modules"), join(root, "node_modules"));
  const write = (more: Record<string, string>): void => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write({
    "package.json": JSON.stringify({ name: "sample", version: "1.2.3", type: "module" }),
    "tsconfig.json": tsconfig({}),
    ...files,
  });
  return { root, write, remove: () => rmSync(root, { recursive: true }) };
}

/** The text of a tsconfig.json like those of the templates. */
export function tsconfig(options: Record<string, unknown>): string {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    ...options,
  };
  return JSON.stringify({ compilerOptions, include: ["src"] });
}
