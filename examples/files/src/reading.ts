import { open, readFile, stat } from "node:fs/promises";
import { ToolError } from "@tenon/runtime";

/** Clients accept lines of 10 MiB, and a result contains the text twice: as content and as data. */
const MAX_BYTES = 3.5 * 2 ** 20;

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

export async function readWhole(file: string): Promise<Buffer> {
  const { size } = await checkRegularFile(file);
  if (size > MAX_BYTES) {
    throw new ToolError(`The file has ${size} bytes, more than the limit of ${MAX_BYTES}. Use head or tail.`);
  }
  return readFile(file);
}

/** Reads a file as text. Bytes that are not UTF-8 become U+FFFD. */
export async function readText(file: string): Promise<string> {
  return (await readWhole(file)).toString("utf8");
}

/** Returns the first lines of text, without the last newline. */
export async function readFirstLines(file: string, count: number): Promise<string> {
  const { size } = await checkRegularFile(file);
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let [position, newlines] = [0, 0];
    while (newlines < count && position < size) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) break;
      position = checkSize(position + bytesRead);
      newlines += countNewlines(buffer.subarray(0, bytesRead));
      chunks.push(buffer.subarray(0, bytesRead));
    }
    return splitLines(Buffer.concat(chunks)).slice(0, count).join("\n");
  } finally {
    await handle.close();
  }
}

/** Returns the last lines of text, without the last newline. It reads the file from its end. */
export async function readLastLines(file: string, count: number): Promise<string> {
  const { size } = await checkRegularFile(file);
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let [position, newlines] = [size, 0];
    // The newline of the last line counts as well.
    while (newlines <= count && position > 0) {
      const length = Math.min(CHUNK, position);
      position -= length;
      checkSize(size - position);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
      newlines += countNewlines(buffer);
      chunks.unshift(buffer);
    }
    return splitLines(Buffer.concat(chunks)).slice(-count).join("\n");
  } finally {
    await handle.close();
  }
}

/** Rejects anything but regular files: pipes and devices have no end. */
async function checkRegularFile(file: string): Promise<{ size: number }> {
  const found = await stat(file);
  if (found.isDirectory()) throw new ToolError("That is a directory, not a file.");
  if (!found.isFile()) throw new ToolError("That is a pipe, a socket, or a device, not a file.");
  return found;
}

function checkSize(bytes: number): number {
  if (bytes > MAX_BYTES)
    throw new ToolError("These lines are too long to read at once. Request fewer lines.");
  return bytes;
}

function countNewlines(bytes: Buffer): number {
  return bytes.reduce((count, byte) => count + Number(byte === NEWLINE), 0);
}

function splitLines(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
}
