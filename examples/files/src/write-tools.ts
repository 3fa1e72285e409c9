import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Tool, ToolError, type Context } from "@tenon/runtime";
import { answer, type Answer } from "./answer.js";
import type { Directories } from "./directories.js";
import { applyEdits, patchOf, type Edit } from "./edits.js";
import { readWhole } from "./reading.js";
import type { Sandbox } from "./sandbox.js";
import { Turns } from "./turns.js";

export interface EditOf {
  /** The file */
  path: string;
  /** One after the other */
  edits: Edit[];
  /** Show the difference, and change nothing */
  dryRun?: boolean;
}

export class WriteTools {
  /** What changes files waits for its turn, so that no edit undoes another. */
  readonly #turns = new Turns();

  constructor(private readonly directories: Directories) {}

  /**
   * Makes a file, or overwrites the one that is there.
   * @param path The file
   * @param content All that it is to hold
   */
  @Tool({ name: "write_file", title: "Write File", destructive: true, idempotent: true, openWorld: false })
  async write(path: string, content: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
    await this.#turns.take(() => sandbox.enter(path, (file) => replace(file, content)));
    return answer(`Successfully wrote to ${path}`);
  }

  /**
   * Replaces text in a file and shows the difference. Where `oldText` is not found as it
   * is, lines that differ in their indentation alone are taken.
   */
  @Tool({ name: "edit_file", title: "Edit File", destructive: true, openWorld: false })
  async edit({ path, edits, dryRun = false }: EditOf, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
    return this.#turns.take(() =>
      sandbox.enter(path, async (at, real) => {
        const before = textOf(await sandbox.open(real, readWhole));
        const after = applyEdits(before, edits);
        if (!dryRun) await replace(at, after);
        return answer(patchOf(real, before, after));
      }),
    );
  }

  /**
   * Makes a directory, and those above it that are missing. One that exists is left as it is.
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
    const sandbox = await this.directories.of(ctx);
    await this.#turns.take(async () => makeDirectory(sandbox, await sandbox.resolve(path)));
    return answer(`Successfully created directory ${path}`);
  }

  /**
   * Moves or renames a file or directory. Fails where something is at the destination.
   * @param source What is moved
   * @param destination Its new path, with its name
   */
  @Tool({ name: "move_file", title: "Move File", destructive: true, openWorld: false })
  async move(source: string, destination: string, ctx: Context): Promise<Answer> {
    const sandbox = await this.directories.of(ctx);
    await this.#turns.take(() =>
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

/** All of it or nothing is seen by whoever reads at the same time, and a link that somebody puts there is not followed. */
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
  if (found !== undefined) throw new ToolError("There is something of that name already, and no directory.");
  await makeDirectory(sandbox, dirname(real));
  await sandbox.enter(real, (at) => mkdir(at));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** What is no text is not edited: bytes that are no UTF-8 would be lost. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError("That is not UTF-8 text, so that an edit would damage it.");
  }
}
