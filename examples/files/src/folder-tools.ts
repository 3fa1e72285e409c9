import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Tool, type Context } from "@tenon/runtime";
import { answer, type Answer } from "./answer.js";
import type { Directories } from "./directories.js";
import { isExcluded, matches, treeOf, walk } from "./walk.js";
import { formatSize } from "./format-size.js";

export class FolderTools {
  constructor(private readonly directories: Directories) {}

  /** Says which directories may be used, with everything below them. */
  @Tool({
    name: "list_allowed_directories",
    title: "List Allowed Directories",
    readOnly: true,
    openWorld: false,
  })
  async listAllowed(ctx: Context): Promise<Answer> {
    const { directories } = await this.directories.of(ctx);
    return answer(`Allowed directories:\n${directories.join("\n")}`);
  }

  /**
   * Lists what is in a directory, each entry after [FILE] or [DIR].
   * @param path The directory
   */
  @Tool({ name: "list_directory", title: "List Directory", readOnly: true, openWorld: false })
  async list(path: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
    return sandbox.open(path, async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true });
      return answer(entries.map((entry) => `${kindOf(entry)} ${entry.name}`).join("\n"));
    });
  }

  /**
   * Lists what is in a directory, with the sizes of files.
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
    const sandbox = await this.directories.of(ctx);
    const entries = await sandbox.open(path, async (folder, real) => {
      const found = await readdir(folder, { withFileTypes: true });
      const sized = found.map(async (entry) => {
        // The size of what a link leads to is nobody's business where that is outside.
        const isFile =
          entry.isFile() || (entry.isSymbolicLink() && (await sandbox.contains(join(real, entry.name))));
        const size = isFile
          ? await stat(join(folder, entry.name)).then(
              (info) => info.size,
              () => 0,
            )
          : 0;
        return { name: entry.name, kind: kindOf(entry), size };
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
   * Shows a directory and all below it as JSON: name, type, and for directories their children.
   * @param path The directory
   * @param excludePatterns Names or glob patterns of what is left out
   */
  @Tool({ name: "directory_tree", title: "Directory Tree", readOnly: true, openWorld: false })
  async tree(path: string, ctx: Context, excludePatterns: string[] = []): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
    const leaveOut = (way: string): boolean => excludePatterns.some((pattern) => isExcluded(way, pattern));
    return answer(JSON.stringify(await treeOf(sandbox, await sandbox.resolve(path), leaveOut), null, 2));
  }

  /**
   * Finds files and directories by a glob pattern: `*.ts` in the directory itself, `**\/*.ts` below it as well.
   * @param path Where to search
   * @param pattern What their paths, from there on, look like @maxLength 1000
   * @param excludePatterns Glob patterns of what is left out
   */
  @Tool({ name: "search_files", title: "Search Files", readOnly: true, openWorld: false })
  async search(path: string, pattern: string, ctx: Context, excludePatterns: string[] = []): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
    const start = await sandbox.resolve(path);
    const leaveOut = (way: string): boolean => excludePatterns.some((each) => matches(way, each));
    const found: string[] = [];
    for await (const way of walk(sandbox, start, leaveOut)) {
      ctx.signal.throwIfAborted();
      if (matches(way, pattern)) found.push(join(start, way));
    }
    return answer(found.length > 0 ? found.join("\n") : "No matches found");
  }

  /**
   * Says of a file or directory its size, times, kind and permissions.
   * @param path The file or directory
   */
  @Tool({ name: "get_file_info", title: "Get File Info", readOnly: true, openWorld: false })
  async info(path: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
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

function kindOf(entry: { isDirectory(): boolean }): "[DIR]" | "[FILE]" {
  return entry.isDirectory() ? "[DIR]" : "[FILE]";
}
