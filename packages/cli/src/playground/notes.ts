import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OWN_FOLDER } from "../files/own-folder.js";

/** The state of the playground's pages, which survives a restart. Browsers cannot store it, since the port differs each time. */
export interface Notes {
  /** Returns the notes, or undefined if there are none. */
  read(): unknown;
  write(notes: unknown): void;
}

/**
 * Creates the store of notes, which are in `.tenon/`.
 *
 * @param root the project folder, absolute
 */
export function createNotes(root: string): Notes {
  const path = join(root, OWN_FOLDER, "playground.json");
  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, "utf8"));
      } catch {
        return undefined;
      }
    },
    write(notes) {
      mkdirSync(dirname(path), { recursive: true });
      // Saved calls may contain secrets, so only this user can read them.
      writeFileSync(path, `${JSON.stringify(notes, undefined, 2)}\n`, { mode: 0o600 });
      restrictAccess(path);
    },
  };
}

/** Makes a file from an earlier version private. Only its owner can do that, but others may be able to write it. */
function restrictAccess(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // The content is saved nevertheless.
  }
}
