import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../terminal/failure.js";
import { systemFailure } from "../terminal/system-error.js";
import type { Terminal } from "../terminal/terminal.js";

/** What the words of a command line read, by the name that they give it: a path, or `-` for standard input. */
export type ArgumentFiles = ReadonlyMap<string, Buffer>;

/** Far more than servers take, so that no device is read without end. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The file that a word or the value in it names.
 *
 * @example
 * fileNamed("@place.json") // "place.json"
 * fileNamed("-") // undefined: in a value it is a text
 * fileNamed("@@ada") // undefined: it is the text "@ada"
 */
export function fileNamed(text: string): string | undefined {
  return /^@[^@]/s.test(text) ? text.slice(1) : undefined;
}

/** The file that a whole word is, which holds all arguments. */
export function wholeFileNamed(word: string): string | undefined {
  return word === "-" ? word : fileNamed(word);
}

/**
 * Reads what the words name by `@path`, `name=@path` or `-`, each once.
 *
 * @throws Failure (exit code 2) that names the word, when it cannot be read
 */
export async function readArgumentFiles(
  words: readonly string[],
  { cwd, readInput }: Pick<Terminal, "cwd" | "readInput">,
): Promise<ArgumentFiles> {
  const files = new Map<string, Buffer>();
  for (const word of words.filter((each) => !each.startsWith("{"))) {
    const value = word.slice(word.indexOf("=") + 1);
    const isWhole = !word.includes("=") || wholeFileNamed(word) !== undefined;
    const name = isWhole ? wholeFileNamed(word) : fileNamed(value);
    if (name === undefined || files.has(name)) continue;
    const content = name === "-" ? await readInput?.(MOST_BYTES) : readFile(resolve(cwd, name), name, word);
    if (content === undefined) throw refused(word, "Nothing comes over standard input.");
    if (content.length > MOST_BYTES)
      throw refused(word, `${name === "-" ? "Standard input" : `\`${name}\``} is larger than 64 MiB.`);
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
        : `For a text that begins with @, write it twice: ${word.replace("@", "@@")}`;
      throw refused(word, `There is no file \`${name}\`.`, hint);
    }
    throw systemFailure(error) ?? error;
  }
  try {
    if (fstatSync(handle).isDirectory()) throw refused(word, `\`${name}\` is a folder.`);
    return readUpTo(handle, MOST_BYTES + 1);
  } finally {
    closeSync(handle);
  }
}

/** Of pipes and devices nobody knows how much there is. */
function readUpTo(handle: number, most: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; size < most;) {
    const part = Buffer.alloc(Math.min(64 * 1024, most - size));
    const read = readSync(handle, part);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    size += read;
  }
  return Buffer.concat(parts);
}

function refused(
  word: string,
  reason: string,
  hint = "After @ comes the path of a file, or - for standard input.",
): Failure {
  return new Failure(`\`${word}\` cannot be read: ${reason}`, { hint, exitCode: 2 });
}
