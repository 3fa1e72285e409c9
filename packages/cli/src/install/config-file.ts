import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** The text of a file, without the mark that some editors put before it; empty where there is none. */
export function readConfig(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").replace(/^\uFEFF/, "") : "";
}

/**
 * Writes a configuration so that at every moment the whole of the old or the whole of the new one is there, with the
 * rights of the old one, through links. The old one is kept beside it.
 *
 * @returns where the old one is kept, if there was any
 */
export function replaceConfig(file: string, text: string): string | undefined {
  const isThere = existsSync(file);
  const target = isThere ? realpathSync(file) : file;
  mkdirSync(dirname(target), { recursive: true });
  const mode = isThere ? statSync(target).mode & 0o777 : 0o600;
  const draft = `${target}.tenon-${process.pid}`;
  try {
    const handle = openSync(draft, "w", mode);
    writeSync(handle, text);
    fsyncSync(handle);
    closeSync(handle);
    chmodSync(draft, mode);
    const backup = isThere ? `${target}.before-tenon` : undefined;
    if (backup !== undefined) copyFileSync(target, backup);
    renameSync(draft, target);
    return backup;
  } finally {
    rmSync(draft, { force: true });
  }
}
