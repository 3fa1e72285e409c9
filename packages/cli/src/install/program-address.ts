import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { InstallableClient, Scope, ServerAddress } from "./client-config.js";

type ProgramAddress = Extract<ServerAddress, { command: string }>;

/**
 * How a client starts a server by a command that works in `folder`. Paths in it hold wherever the client is started, or,
 * in scope `project`, on the machines of all who have the folder.
 *
 * @example
 * programAddress(["node", "server.js"], { folder: "/home/ada", scope: "user", env: {} })
 * // { command: "node", args: ["/home/ada/server.js"], env: {} }
 */
export function programAddress(
  words: readonly string[],
  {
    folder,
    scope,
    client,
    env,
  }: { folder: string; scope: Scope; client?: InstallableClient | undefined; env: Record<string, string> },
): ProgramAddress {
  const placed = words.map((word) => {
    if (!isPathIn(folder, word)) return word;
    if (scope === "user") return resolve(folder, word);
    return client?.name === "vscode" ? `\${workspaceFolder}/${word.replace(/^\.[\\/]/, "")}` : word;
  });
  const [program = "", ...args] = placed;
  const isFound = scope === "project" || client?.isGraphical !== true;
  return { command: program === "node" && !isFound ? process.execPath : program, args, env };
}

/**
 * True for what is there under a relative path. A single word is one only if it names a file, so that a package of npm is
 * none beside a folder of its name.
 */
function isPathIn(folder: string, word: string): boolean {
  const place = resolve(folder, word);
  if (word === place || word === "" || !existsSync(place)) return false;
  return /[\\/]|^\.\.?$/.test(word) || statSync(place).isFile();
}
