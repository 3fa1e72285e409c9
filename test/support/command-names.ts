import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../packages/cli/src/commands");

/** Returns the commands that the files of `commands/` declare, whether the program has them or not. */
export function commandNames(): string[] {
  return readdirSync(folder)
    .flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(/^export function define(\w+)Command\(/gm),
    ])
    .map(([, name = ""]) => name.toLowerCase())
    .sort();
}
