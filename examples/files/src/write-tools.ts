import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Tool, ToolError, type Context } from "@tenon/runtime";
import { answer, type Answer } from "./answer.js";
import type { Directories } from "./directories.js";
import { applyEdits, createPatch, type Edit } from "./edits.js";
import { readWhole } from "./reading.js";
import type { Sandbox } from "./sandbox.js";
import { Queue } from "./queue.js";

export interface FileEdits {
  /** The file */
  path: string;
  /** Edits, applied in order */
  edits: Edit[];
  /** Show the difference without changing the file */
  dryRun?: boolean;
}

export class WriteTools {
  /** Runs changes one at a time, so that no edit undoes another. */
  readonly #queue = new Queue();

  constructor(private readonly directories: Directories) {}

  /**
   * Creates a file, or overwrites an existing one.
   * @param path The file
   * @param content Its whole content
   */
  @Tool({ name: "write_file", title: "Write File", destructive: true, idempotent: true, openWorld: false })
  async write(path: string, content: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    await this.#queue.run(() => sandbox.enter(path, (file) => replace(file, content)));
    return answer(`Successfully wrote to ${path}`);
  }

  /**
   * Replaces text in a file and shows the difference. If there is no exact match for `oldText`,
   * lines that differ only in their indentation match.
   */
  @Tool({ name: "edit_file", title: "Edit File", destructive: true, openWorld: false })
  async edit({ path, edits, dryRun = false }: FileEdits, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    return this.#queue.run(() =>
      sandbox.enter(path, async (at, real) => {
        const before = decodeText(await sandbox.open(real, readWhole));
        const after = applyEdits(before, edits);
        if (!dryRun) await replace(at, after);
        return answer(createPatch(real, before, after));
      }),
    );
  }

  /**
   * Creates a directory and its missing parents. An existing directory is not changed.
   * @param path The directory
   */
  @Tool({
    name: "create_directory",
    title: "Create Directory",
    destructive: false,
    idempotent: true,
    openWorld: false,
  })
  async createDirectory(path: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    await this.#queue.run(async () => makeDirectory(sandbox, await sandbox.resolve(path)));
    return answer(`Successfully created directory ${path}`);
  }

  /**
   * Moves or renames a file or directory. Fails if the destination exists.
   * @param source The file or directory
   * @param destination Its new path, with its name
   */
  @Tool({ name: "move_file", title: "Move File", destructive: true, openWorld: false })
  async move(source: string, destination: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    await this.#queue.run(() =>
      sandbox.entry(source, (from) =>
        sandbox.enter(destination, async (to) => {
          if (await exists(to)) throw new ToolError(`Destination already exists: ${destination}`);
          await rename(from, to);
        }),
      ),
    );
    return answer(`Successfully moved ${source} to ${destination}`);
  }
}

/** Replaces a file atomically for concurrent readers, without following a link that another process creates. */
async function replace(file: string, content: string): Promise<void> {
  const before = await stat(file).catch(() => undefined);
  if (before?.isDirectory()) throw new ToolError("That is a directory, not a file.");
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    if (before !== undefined) await chmod(temporary, before.mode & 0o777);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function makeDirectory(sandbox: Sandbox, real: string): Promise<void> {
  const found = await stat(real).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new ToolError("A file with that name already exists.");
  await makeDirectory(sandbox, dirname(real));
  await sandbox.enter(real, (at) => mkdir(at));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Rejects files that are not text: bytes that are not UTF-8 would be lost. */
function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError("That is not UTF-8 text, so an edit would damage it.");
  }
}
