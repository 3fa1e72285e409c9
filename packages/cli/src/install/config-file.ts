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

/** Reads a file without its byte order mark, or returns an empty string if it does not exist. */
export function readConfig(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").replace(/^\uFEFF/, "") : "";
}

/**
 * Replaces a configuration atomically, and keeps its permissions and symbolic links.
 *
 * @param options.hasBackup whether to write a backup next to the file. Only the user can read it, since it may contain
 * secrets.
 * @returns the path of the backup, if there is one
 */
export function replaceConfig(
  file: string,
  text: string,
  { hasBackup }: { readonly hasBackup: boolean },
): string | undefined {
  const isReplacement = existsSync(file);
  const target = isReplacement ? realpathSync(file) : file;
  mkdirSync(dirname(target), { recursive: true });
  const mode = isReplacement ? statSync(target).mode & 0o777 : 0o600;
  const draft = `${target}.tenon-${process.pid}`;
  try {
    const handle = openSync(draft, "w", mode);
    writeSync(handle, text);
    fsyncSync(handle);
    closeSync(handle);
    chmodSync(draft, mode);
    const backup = isReplacement && hasBackup ? chooseBackup(target) : undefined;
    if (backup !== undefined) {
      copyFileSync(target, backup);
      chmodSync(backup, mode & 0o700);
    }
    renameSync(draft, target);
    return backup;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Chooses the path of a backup. The first backup is never replaced: it is the file as it was before Tenon changed it. */
function chooseBackup(file: string): string {
  const first = `${file}.before-tenon`;
  return existsSync(first) ? `${first}-again` : first;
}
