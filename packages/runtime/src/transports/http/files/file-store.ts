import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** Names of stored files: the time in milliseconds at which they expire, and an ID. Other files of the folder stay. */
const NAME = /^(\d{13})-[\da-f-]{36}$/;

/** Size of the pieces in which files are sent. Smaller ones take twice as long. */
const CHUNK_BYTES = 256 * 1024;

const SWEEP_INTERVAL_MS = 60_000;

/** A folder with files that expire. Several processes may share it. */
export class FileStore {
  readonly #folder: string;
  #sweptAt = -Infinity;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes a file in chunks, so that it does not have to fit into memory. Deletes expired files from time to time.
   *
   * @returns the name of the stored file
   */
  async write(file: Blob, expiresAt: Date, signal: AbortSignal): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    await this.#sweep(Date.now());
    const name = `${expiresAt.getTime()}-${randomUUID()}`;
    const path = join(this.#folder, name);
    try {
      const source = Readable.fromWeb(file.stream() as ReadableStream);
      await pipeline(source, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
    return name;
  }

  /** Opens a stored file. Undefined if it does not exist. */
  async read(name: string): Promise<{ size: number; stream: () => ReadableStream } | undefined> {
    if (!NAME.test(name)) return undefined;
    const path = join(this.#folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) return undefined;
    return {
      size: stats.size,
      stream: () => Readable.toWeb(createReadStream(path, { highWaterMark: CHUNK_BYTES })),
    };
  }

  async #sweep(now: number): Promise<void> {
    if (now - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    const expired = (await readdir(this.#folder)).filter(
      (name) => Number(NAME.exec(name)?.[1] ?? Infinity) < now,
    );
    // Another process may have deleted them.
    await Promise.all(expired.map((name) => unlink(join(this.#folder, name)).catch(() => undefined)));
  }
}
