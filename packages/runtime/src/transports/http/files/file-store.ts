import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { formatByteCount } from "../../../data/problems/format-byte-count.js";

/**
 * Names of stored files: the time in milliseconds at which they expire, and an ID. Other files in the folder are not
 * touched.
 */
const NAME = /^(\d{13})-[\da-f-]{36}$/;

/** Size of the chunks in which files are sent. With smaller ones, sending takes twice as long. */
const CHUNK_BYTES = 256 * 1024;

const SWEEP_INTERVAL_MS = 60_000;

/** The folder has no space for a file. */
export class FolderFullError extends Error {
  override name = "FolderFullError";
}

/** A folder with files that expire. Several processes may share it. */
export class FileStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** The sizes of the files that are being written, by name. */
  readonly #writing = new Map<string, number>();
  #sweptAt = -Infinity;
  /** The time at which the next file expires. Sweeping earlier frees no space. */
  #nextExpiry = -Infinity;
  #sweeping: Promise<void> | undefined;
  /** The size of the files in the folder at the last sweep. */
  #sweptBytes = 0;
  /** The size of the files that this process has written since, or is writing. */
  #addedBytes = 0;

  /** @param maxBytes the maximum size of all files together */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /**
   * Writes a file in chunks, so that it does not have to fit into memory. Deletes expired files from time to time.
   *
   * @returns the name of the stored file
   * @throws FolderFullError
   */
  async write(file: Blob, expiresAt: Date, signal: AbortSignal): Promise<string> {
    const { size } = file;
    await mkdir(this.#folder, { recursive: true });
    const name = `${expiresAt.getTime()}-${randomUUID()}`;
    const path = join(this.#folder, name);
    await this.#reserve(name, size);
    try {
      const source = Readable.fromWeb(file.stream() as ReadableStream);
      await pipeline(source, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
    } catch (error) {
      this.#addedBytes -= size;
      await unlink(path).catch(() => undefined);
      throw error;
    } finally {
      this.#writing.delete(name);
    }
    return name;
  }

  /** Opens a stored file. Returns undefined if it does not exist. */
  async read(name: string): Promise<{ size: number; stream: () => ReadableStream } | undefined> {
    if (!NAME.test(name)) return undefined;
    const path = join(this.#folder, name);
    const stats = await lstat(path).catch(() => undefined);
    // Not a folder, or a link to a file elsewhere.
    if (stats?.isFile() !== true) return undefined;
    return {
      size: stats.size,
      stream: () => Readable.toWeb(createReadStream(path, { highWaterMark: CHUNK_BYTES })),
    };
  }

  /**
   * Reserves space for a file. Deletes expired files first, if that is due, or could make space.
   *
   * @throws FolderFullError
   */
  async #reserve(name: string, bytes: number): Promise<void> {
    const isFull = (): boolean => this.#sweptBytes + this.#addedBytes + bytes > this.#maxBytes;
    const now = Date.now();
    const mayMakeSpace = bytes <= this.#maxBytes && now > this.#nextExpiry;
    const isDue = now - this.#sweptAt >= SWEEP_INTERVAL_MS || (isFull() && mayMakeSpace);
    // A file that is written during a sweep would be counted twice.
    if (isDue || this.#sweeping !== undefined)
      await (this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined)));
    if (isFull())
      throw new FolderFullError(
        `The files in ${this.#folder} take up ${formatByteCount(this.#sweptBytes + this.#addedBytes)}, and the maximum is ` +
          `${formatByteCount(this.#maxBytes)}. Increase \`maxFolderBytes\` of fileLinks(), or shorten \`lifetimeMs\`.`,
      );
    // In the same step as the comparison, since several calls may wait for one sweep.
    this.#addedBytes += bytes;
    this.#writing.set(name, bytes);
    this.#nextExpiry = Math.min(this.#nextExpiry, getExpiry(name));
  }

  /** Deletes expired files, and measures the others. */
  async #sweep(): Promise<void> {
    const now = Date.now();
    const addedBefore = this.#addedBytes;
    const unfinished = new Map(this.#writing);
    const names = (await readdir(this.#folder)).filter((name) => NAME.test(name) && !unfinished.has(name));
    const sizes = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const isExpired = getExpiry(name) < now;
        // Another process may have deleted it.
        if (isExpired) await unlink(path).catch(() => undefined);
        return isExpired ? 0 : ((await lstat(path).catch(() => undefined))?.size ?? 0);
      }),
    );
    this.#sweptAt = now;
    const expiries = [...names, ...this.#writing.keys()].map(getExpiry).filter((expiry) => expiry >= now);
    this.#nextExpiry = expiries.reduce((earliest, each) => Math.min(earliest, each), Infinity);
    this.#sweptBytes = sum(sizes);
    this.#addedBytes += sum([...unfinished.values()]) - addedBefore;
  }
}

/** Returns the time at which a stored file expires, in milliseconds. */
function getExpiry(name: string): number {
  return Number(NAME.exec(name)?.[1]);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
