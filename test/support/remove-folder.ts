import { rmSync } from "node:fs";

/** Removes a folder and what it contains. A process that was just stopped may write to it for another moment. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
