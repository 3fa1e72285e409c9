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

/** Returns the path of a file that contains all arguments, or `-` for standard input. */
export function getWholeFilePath(arg: string): string | undefined {
  return arg === "-" ? arg : getFilePath(arg);
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
  for (const arg of args.filter((each) => !each.startsWith("{"))) {
    const value = arg.slice(arg.indexOf("=") + 1);
    const isWhole = !arg.includes("=") || getWholeFilePath(arg) !== undefined;
    const name = isWhole ? getWholeFilePath(arg) : getFilePath(value);
    if (name === undefined || files.has(name)) continue;
    const content = name === "-" ? await readInput?.(MAX_BYTES) : readFile(resolve(cwd, name), name, arg);
    if (content === undefined) throw createReadFailure(arg, "Standard input is empty or unavailable.");
    if (content.length > MAX_BYTES)
      throw createReadFailure(
        arg,
        `${name === "-" ? "Standard input" : `\`${name}\``} is larger than 64 MiB.`,
      );
    files.set(name, content);
  }
  return files;
}

function readFile(path: string, name: string, arg: string): Buffer {
  let handle: number;
  try {
    handle = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      const hint = arg.startsWith("@")
        ? undefined
        : `For text that starts with @, double it: ${arg.replace("@", "@@")}`;
      throw createReadFailure(arg, `The file \`${name}\` does not exist.`, hint);
    }
    throw toSystemFailure(error) ?? error;
  }
  try {
    if (fstatSync(handle).isDirectory()) throw createReadFailure(arg, `\`${name}\` is a folder.`);
    return readUpTo(handle, MAX_BYTES + 1);
  } finally {
    closeSync(handle);
  }
}

/** Reads at most `maxBytes` bytes, because the size of pipes and devices is unknown. */
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
  arg: string,
  reason: string,
  hint = "Put the path of a file after @, or use - for standard input.",
): Failure {
  return new Failure(`\`${arg}\` cannot be read: ${reason}`, { hint, exitCode: 2 });
}
