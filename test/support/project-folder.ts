import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { removeFolder } from "./remove-folder.js";

const workspace = resolve(import.meta.dirname, "../..");

/** A project on disk, with the workspace's packages installed. */
export interface ProjectFolder {
  /** Absolute. */
  root: string;
  write(files: Record<string, string>): void;
  remove(): void;
}

/**
 * @param files by path; package.json and tsconfig.json have defaults
 * @param installed which of the workspace's packages and scopes are installed; all, unless given
 */
export function projectFolder(
  files: Record<string, string> = {},
  installed?: readonly string[],
): ProjectFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-project-")));
  const packages = join(workspace, "node_modules");
  if (installed === undefined) symlinkSync(packages, join(root, "node_modules"));
  else mkdirSync(join(root, "node_modules"));
  for (const name of installed ?? []) symlinkSync(join(packages, name), join(root, "node_modules", name));
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
  return { root, write, remove: () => removeFolder(root) };
}

/** Returns the text of a tsconfig.json like those of the templates. */
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
