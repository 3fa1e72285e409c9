import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type FileTree, writeFileTree } from "@tenon/compiler";
import { terminalPrompts } from "../create/terminal-prompts.js";
import { findForeignFiles, writeBuild } from "../project/built-files.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import type { TargetName, PackagedTarget } from "./targets/package-target.js";

/** The folders that targets are written to. */
export interface OutputFolders {
  readonly root: string;
  readonly outDir: string;
  /** Whether to replace existing files. */
  readonly force: boolean;
}

/** The files of a target, relative to the current folder. */
export interface WrittenTarget {
  readonly files: readonly string[];
  /** The author's files that were not replaced. */
  readonly unchanged: readonly string[];
}

/**
 * Checks that only files that `tenon package` has written would be replaced in the output folder.
 *
 * @throws Failure that names such files
 */
export function checkTargetFolders(
  packaged: ReadonlyMap<TargetName, PackagedTarget>,
  outDir: string,
  cwd: string,
  force: boolean,
): void {
  const conflicts = [...packaged].flatMap(([name, { files }]) =>
    findForeignFiles(files, join(outDir, name)).map((path) => relative(cwd, join(outDir, name, path))),
  );
  if (conflicts.length === 0 || force) return;
  const more = conflicts.length > 3 ? `, and ${conflicts.length - 3} more` : "";
  throw new Failure(
    `\`tenon package\` would replace files that it did not write: ${conflicts.slice(0, 3).join(", ")}${more}.`,
    {
      hint: "Choose another path with --out, or replace them with --force.",
    },
  );
}

const NO_FILES: FileTree = new Map();

/** Writes the targets. Prompts before it replaces one of the author's files; without an interactive terminal, the file stays. */
export async function writeTargets(
  terminal: Terminal,
  packaged: ReadonlyMap<TargetName, PackagedTarget>,
  { root, outDir, force }: OutputFolders,
): Promise<Map<TargetName, WrittenTarget>> {
  const written = new Map<TargetName, WrittenTarget>();
  for (const [name, { files, authorFiles = NO_FILES, updated = NO_FILES }] of packaged) {
    const folder = join(outDir, name);
    if (files.size > 0) {
      excludeFromGit(outDir);
      writeBuild(files, folder);
    }
    const unchanged: string[] = [];
    const authorPaths: string[] = [];
    for (const [path, content] of updated) {
      writeFileTree(new Map([[path, content]]), root);
      authorPaths.push(relative(terminal.cwd, join(root, path)));
    }
    for (const [path, content] of authorFiles) {
      const target = join(root, path);
      const exists = existsSync(target);
      if (exists && !hasSameText(target, content) && !force) {
        const isReplaced = terminal.interactive && (await confirmReplacement(relative(terminal.cwd, target)));
        if (!isReplaced) {
          unchanged.push(relative(terminal.cwd, target));
          continue;
        }
      }
      writeFileTree(new Map([[path, content]]), root);
      authorPaths.push(relative(terminal.cwd, target));
    }
    const shown = [...files.keys()].map((path) => relative(terminal.cwd, join(folder, path)));
    written.set(name, { files: [...shown, ...authorPaths], unchanged });
  }
  return written;
}

/** Returns whether a file has this content, except for line endings, which Git may have converted. */
function hasSameText(file: string, content: string | Uint8Array): boolean {
  const toText = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n");
  return toText(readFileSync(file)) === toText(Buffer.from(content));
}

async function confirmReplacement(path: string): Promise<boolean> {
  const answer = await terminalPrompts.confirm({
    message: `Replace ${path}? It differs from the new version.`,
  });
  return answer === true;
}

/** Excludes the output, which can be created again, from Git. */
function excludeFromGit(outDir: string): void {
  if (existsSync(join(outDir, ".gitignore"))) return;
  writeFileTree(new Map([[".gitignore", "*\n"]]), outDir);
}
