import { renameSync } from "node:fs";

/** The codes of errors on Windows while another program, such as a virus scanner, has a file open. */
const BUSY_CODES = new Set(["EACCES", "EBUSY", "EPERM"]);
const MAX_RETRIES = 10;
/** The delay before the first retry. Each further delay is longer by this amount. */
const RETRY_DELAY_MS = 10;

/** The platform and file system that {@link replaceFile} uses. Tests replace them. */
export interface ReplaceOptions {
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
}

/**
 * Renames a file to the name of another one, which it replaces. On Windows, waits up to half a second while another program
 * has one of them open.
 *
 * @param draft the path of the new file
 * @param target the path of the file to replace; it may be missing
 * @throws Error of `node:fs` if the file cannot be replaced
 */
export function replaceFile(
  draft: string,
  target: string,
  { platform = process.platform, rename = renameSync }: ReplaceOptions = {},
): void {
  for (let retries = 0; ; retries++) {
    try {
      return rename(draft, target);
    } catch (error) {
      const isBusy = platform === "win32" && BUSY_CODES.has((error as NodeJS.ErrnoException).code ?? "");
      if (!isBusy || retries === MAX_RETRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS * (retries + 1));
    }
  }
}
