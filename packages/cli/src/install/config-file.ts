import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { replaceFile } from "@tenon/compiler/report";
import { Failure } from "../terminal/failure.js";

const BYTE_ORDER_MARK = "\uFEFF";
/** Maximum number of symbolic links followed to a file. Operating systems have similar limits. */
const MAX_LINKS = 40;

/**
 * Reads a file without its byte order mark, or returns an empty string if it does not exist.
 *
 * @throws Failure if the file is not valid UTF-8, since writing it would replace the invalid bytes
 */
export function readConfig(file: string): string {
  if (!existsSync(file)) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Failure(`${file} is not valid UTF-8.`, {
      hint: "Save the file in UTF-8, or move it away, and run the command again.",
      cause,
    });
  }
}

/**
 * Replaces a configuration atomically, and keeps its permissions, byte order mark, and symbolic links, even to a file that does
 * not exist yet.
 *
 * @param options.before the text that was read from the file, from which `text` results
 * @param options.hasBackup whether to write a backup next to the file. Only the user can read it, since it may contain
 * secrets.
 * @returns the path of the backup, if there is one
 * @throws Failure if the file has changed since it was read, is read-only or, like `/dev/null`, not a file
 */
export function replaceConfig(
  file: string,
  text: string,
  options: { readonly before: string; readonly hasBackup: boolean },
): string | undefined {
  const target = followLinks(file);
  const existing = statSync(target, { throwIfNoEntry: false });
  mkdirSync(dirname(target), { recursive: true });
  if (existing?.isFile() === false)
    throw new Failure(`${target} is not a file.`, {
      hint: `Replace ${file} with a file or remove it, and run the command again.`,
    });
  const mode = existing ? existing.mode & 0o777 : 0o600;
  if ((mode & 0o200) === 0)
    throw new Failure(`${target} is read-only.`, {
      hint: "Make the file writable, and run the command again. If another program generates the file, add the entry that --print shows there.",
    });
  const content = existing && readFileSync(target);
  const mark = content?.subarray(0, 3).toString() === BYTE_ORDER_MARK ? BYTE_ORDER_MARK : "";
  const draft = `${target}.tenon-${process.pid}`;
  try {
    const handle = openSync(draft, "w", mode);
    writeSync(handle, mark + text);
    fsyncSync(handle);
    closeSync(handle);
    chmodSync(draft, mode);
    const backup = content && options.hasBackup ? writeBackup(target, content, mode & 0o700) : undefined;
    if (readConfig(target) !== options.before)
      throw new Failure(`Another program changed ${target} at the same time, so it was not replaced.`, {
        hint: "Run the command again.",
      });
    replaceFile(draft, target);
    return backup;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns the path that symbolic links lead to, whether or not it exists. */
function followLinks(file: string): string {
  let target = file;
  for (let links = 0; links <= MAX_LINKS; links++) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
    // A relative link starts at the real folder, which may itself be linked.
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  throw new Failure(`${file} is a symbolic link that leads to itself.`, {
    hint: "Replace the link with a file, and run the command again.",
  });
}

/**
 * Writes a backup, and never replaces one: each may be the only copy of a version.
 *
 * @returns the path of the backup, which may exist with the same content
 */
function writeBackup(file: string, content: Buffer, mode: number): string {
  for (let number = 1; ; number++) {
    const backup = `${file}.before-tenon${number === 1 ? "" : `-${number}`}`;
    if (!existsSync(backup)) {
      writeFileSync(backup, content, { mode, flag: "wx" });
      return backup;
    }
    if (readFileSync(backup).equals(content)) return backup;
  }
}
