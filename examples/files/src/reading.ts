import { open, readFile, stat } from "node:fs/promises";
import { ToolError } from "@tenon/runtime";

/** Clients take lines of 10 MiB, and an answer holds what was read twice: as content, and as data. */
const MOST_BYTES = 3.5 * 2 ** 20;

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

export async function readWhole(file: string): Promise<Buffer> {
  const { size } = await regular(file);
  if (size > MOST_BYTES) {
    throw new ToolError(`That is ${size} bytes, and at most ${MOST_BYTES} are read. Use head or tail.`);
  }
  return readFile(file);
}

/** As text; bytes that are no UTF-8 become U+FFFD. */
export async function readText(file: string): Promise<string> {
  return (await readWhole(file)).toString("utf8");
}

/** The first lines of a text, without the line end of the last. */
export async function firstLines(file: string, count: number): Promise<string> {
  const { size } = await regular(file);
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let [position, newlines] = [0, 0];
    while (newlines < count && position < size) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) break;
      position = bounded(position + bytesRead);
      newlines += countNewlines(buffer.subarray(0, bytesRead));
      chunks.push(buffer.subarray(0, bytesRead));
    }
    return linesOf(Buffer.concat(chunks)).slice(0, count).join("\n");
  } finally {
    await handle.close();
  }
}

/** The last lines of a text, without the line end of the last; read from its end. */
export async function lastLines(file: string, count: number): Promise<string> {
  const { size } = await regular(file);
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let [position, newlines] = [size, 0];
    // The line end of the last line is one more.
    while (newlines <= count && position > 0) {
      const length = Math.min(CHUNK, position);
      position -= length;
      bounded(size - position);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
      newlines += countNewlines(buffer);
      chunks.unshift(buffer);
    }
    return linesOf(Buffer.concat(chunks)).slice(-count).join("\n");
  } finally {
    await handle.close();
  }
}

/** Pipes and devices have no end that one could wait for. */
async function regular(file: string): Promise<{ size: number }> {
  const found = await stat(file);
  if (found.isDirectory()) throw new ToolError("That is a directory, not a file.");
  if (!found.isFile()) throw new ToolError("That is a pipe, a socket or a device, and no file.");
  return found;
}

function bounded(bytes: number): number {
  if (bytes > MOST_BYTES) throw new ToolError("So many lines are too much to read at once: ask for fewer.");
  return bytes;
}

function countNewlines(bytes: Buffer): number {
  return bytes.reduce((count, byte) => count + Number(byte === NEWLINE), 0);
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
}
