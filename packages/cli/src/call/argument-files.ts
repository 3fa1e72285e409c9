import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../terminal/failure.js";
import { toSystemFailure } from "../terminal/system-error.js";
import type { Terminal } from "../terminal/terminal.js";

/** The contents that arguments refer to, by path, or `-` for standard input. */
export type ArgumentFiles = ReadonlyMap<string, Buffer>;

/** Maximum size of a file, so that devices are not read without end. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the path in an argument or a value that starts with `@`.
 *
 * @example
 * getFilePath("@place.json") // "place.json"
 * getFilePath("-") // undefined: as a value, it is text
 * getFilePath("@@ada") // undefined: `@@` escapes the text "@ada"
 */
export function getFilePath(text: string): string | undefined {
  return /^@[^@]/s.test(text) ? text.slice(1) : undefined;
}

/** Returns the path of a file with all arguments, or `-` for standard input. */
export function getWholeFilePath(word: string): string | undefined {
  return word === "-" ? word : getFilePath(word);
}

/**
 * Reads the files in arguments such as `@path`, `name=@path`, or `-`, each once.
 *
 * @throws Failure (exit code 2) with the argument, if a file cannot be read
 */
export async function readArgumentFiles(
  args: readonly string[],
  { cwd, readInput }: Pick<Terminal, "cwd" | "readInput">,
): Promise<ArgumentFiles> {
  const files = new Map<string, Buffer>();
  for (const word of args.filter((each) => !each.startsWith("{"))) {
    const value = word.slice(word.indexOf("=") + 1);
    const isWhole = !word.includes("=") || getWholeFilePath(word) !== undefined;
    const name = isWhole ? getWholeFilePath(word) : getFilePath(value);
    if (name === undefined || files.has(name)) continue;
    const content = name === "-" ? await readInput?.(MAX_BYTES) : readFile(resolve(cwd, name), name, word);
    if (content === undefined) throw createReadFailure(word, "Standard input is empty or unavailable.");
    if (content.length > MAX_BYTES)
      throw createReadFailure(
        word,
        `${name === "-" ? "Standard input" : `\`${name}\``} is larger than 64 MiB.`,
      );
    files.set(name, content);
  }
  return files;
}

function readFile(path: string, name: string, word: string): Buffer {
  let handle: number;
  try {
    handle = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      const hint = word.startsWith("@")
        ? undefined
        : `For text that starts with @, double it: ${word.replace("@", "@@")}`;
      throw createReadFailure(word, `The file \`${name}\` does not exist.`, hint);
    }
    throw toSystemFailure(error) ?? error;
  }
  try {
    if (fstatSync(handle).isDirectory()) throw createReadFailure(word, `\`${name}\` is a folder.`);
    return readUpTo(handle, MAX_BYTES + 1);
  } finally {
    closeSync(handle);
  }
}

/** Reads at most this many bytes: the size of pipes and devices is unknown. */
function readUpTo(handle: number, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; size < maxBytes;) {
    const part = Buffer.alloc(Math.min(64 * 1024, maxBytes - size));
    const read = readSync(handle, part);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    size += read;
  }
  return Buffer.concat(parts);
}

function createReadFailure(
  word: string,
  reason: string,
  hint = "Put the path of a file after @, or use - for standard input.",
): Failure {
  return new Failure(`\`${word}\` cannot be read: ${reason}`, { hint, exitCode: 2 });
}
