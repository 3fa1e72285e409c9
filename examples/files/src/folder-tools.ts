import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Tool, type Context } from "@tenon/runtime";
import { answer, type Answer } from "./answer.js";
import type { Directories } from "./directories.js";
import { isExcluded, matches, readTree, walk } from "./walk.js";
import { formatSize } from "./format-size.js";

export class FolderTools {
  constructor(private readonly directories: Directories) {}

  /** Lists the directories that may be used, including everything in them. */
  @Tool({
    name: "list_allowed_directories",
    title: "List Allowed Directories",
    readOnly: true,
    openWorld: false,
  })
  async listAllowed(ctx: Context): Promise<Answer> {
    const { directories } = await this.directories.getSandbox(ctx);
    return answer(`Allowed directories:\n${directories.join("\n")}`);
  }

  /**
   * Lists the entries of a directory, each marked [FILE] or [DIR].
   * @param path The directory
   */
  @Tool({ name: "list_directory", title: "List Directory", readOnly: true, openWorld: false })
  async list(path: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    return sandbox.open(path, async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true });
      return answer(entries.map((entry) => `${getKind(entry)} ${entry.name}`).join("\n"));
    });
  }

  /**
   * Lists the entries of a directory with the sizes of files.
   * @param path The directory
   * @param sortBy Sort entries by name, or the largest first
   */
  @Tool({
    name: "list_directory_with_sizes",
    title: "List Directory with Sizes",
    readOnly: true,
    openWorld: false,
  })
  async listWithSizes(path: string, ctx: Context, sortBy: "name" | "size" = "name"): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    const entries = await sandbox.open(path, async (folder, real) => {
      const found = await readdir(folder, { withFileTypes: true });
      const sized = found.map(async (entry) => {
        // The size of a link target is shown only if the target is inside.
        const isFile =
          entry.isFile() || (entry.isSymbolicLink() && (await sandbox.contains(join(real, entry.name))));
        const size = isFile
          ? await stat(join(folder, entry.name)).then(
              (info) => info.size,
              () => 0,
            )
          : 0;
        return { name: entry.name, kind: getKind(entry), size };
      });
      return Promise.all(sized);
    });
    entries.sort((a, b) => (sortBy === "size" ? b.size - a.size : a.name.localeCompare(b.name)));
    const files = entries.filter(({ kind }) => kind === "[FILE]");
    const lines = entries.map(({ kind, name, size }) => {
      const shown = kind === "[FILE]" ? formatSize(size).padStart(10) : "";
      return `${kind} ${name.padEnd(30)} ${shown}`;
    });
    const total = files.reduce((sum, { size }) => sum + size, 0);
    return answer(
      [
        ...lines,
        "",
        `Total: ${files.length} files, ${entries.length - files.length} directories`,
        `Combined size: ${formatSize(total)}`,
      ].join("\n"),
    );
  }

  /**
   * Shows a directory and everything in it as JSON: names, types, and the children of directories.
   * @param path The directory
   * @param excludePatterns Names or glob patterns to exclude
   */
  @Tool({ name: "directory_tree", title: "Directory Tree", readOnly: true, openWorld: false })
  async tree(path: string, ctx: Context, excludePatterns: string[] = []): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    const isHidden = (inner: string): boolean =>
      excludePatterns.some((pattern) => isExcluded(inner, pattern));
    return answer(JSON.stringify(await readTree(sandbox, await sandbox.resolve(path), isHidden), null, 2));
  }

  /**
   * Finds files and directories by a glob pattern: `*.ts` in the directory itself, `**\/*.ts` also in its subdirectories.
   * @param path Directory to search
   * @param pattern Pattern for paths relative to that directory @maxLength 1000
   * @param excludePatterns Glob patterns to exclude
   */
  @Tool({ name: "search_files", title: "Search Files", readOnly: true, openWorld: false })
  async search(path: string, pattern: string, ctx: Context, excludePatterns: string[] = []): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    const start = await sandbox.resolve(path);
    const isHidden = (inner: string): boolean => excludePatterns.some((each) => matches(inner, each));
    const found: string[] = [];
    for await (const inner of walk(sandbox, start, isHidden)) {
      ctx.signal.throwIfAborted();
      if (matches(inner, pattern)) found.push(join(start, inner));
    }
    return answer(found.length > 0 ? found.join("\n") : "No matches found");
  }

  /**
   * Shows the size, times, type, and permissions of a file or directory.
   * @param path The file or directory
   */
  @Tool({ name: "get_file_info", title: "Get File Info", readOnly: true, openWorld: false })
  async info(path: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    const found = await sandbox.open(path, (at) => stat(at));
    return answer(
      [
        `size: ${found.size}`,
        `created: ${found.birthtime}`,
        `modified: ${found.mtime}`,
        `accessed: ${found.atime}`,
        `isDirectory: ${found.isDirectory()}`,
        `isFile: ${found.isFile()}`,
        `permissions: ${found.mode.toString(8).slice(-3)}`,
      ].join("\n"),
    );
  }
}

function getKind(entry: { isDirectory(): boolean }): "[DIR]" | "[FILE]" {
  return entry.isDirectory() ? "[DIR]" : "[FILE]";
}
