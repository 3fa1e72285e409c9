import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What pages keep from one run to the next. A browser would forget it, since the port is another one each time. */
export interface Notes {
  /** Undefined where there are none. */
  read(): unknown;
  write(notes: unknown): void;
}

/** @param root the project folder, absolute; notes lie in its `.tenon/` */
export function createNotes(root: string): Notes {
  const path = join(root, ".tenon", "playground.json");
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
      writeFileSync(path, `${JSON.stringify(notes, undefined, 2)}\n`);
    },
  };
}
