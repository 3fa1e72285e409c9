import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const examples = join(import.meta.dirname, "../../examples");
const program = join(import.meta.dirname, "build-projects.mjs");

/** Returns the folder of each example. A removed example may have left its dist/. */
export function exampleFolders(): string[] {
  return readdirSync(examples)
    .map((name) => join(examples, name))
    .filter((folder) => existsSync(join(folder, "package.json")));
}

/**
 * Builds every example as its author would, before any test imports it, as Vitest's global setup. A process builds
 * several, since loading the compiler takes half of the time for one.
 */
export default async function setup(): Promise<void> {
  const folders = exampleFolders();
  const processes = Math.min(availableParallelism(), folders.length);
  const shares = Array.from({ length: processes }, (_, nth) =>
    folders.filter((_folder, index) => index % processes === nth),
  );
  await Promise.all(shares.map((share) => promisify(execFile)(process.execPath, [program, ...share])));
}
