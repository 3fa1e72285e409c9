import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { InstallableClient, Scope } from "./client-config.js";
import type { ServerAddress } from "./client-entry.js";

type ProgramAddress = Extract<ServerAddress, { command: string }>;

/** Programs that are command scripts on Windows, which only its shell can start. */
const SCRIPTS = /^(?:npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack)$/;

/**
 * Converts a command that works in `folder` to one that works wherever the client starts it: relative paths become
 * absolute or, in scope `project`, stay valid on other machines. On Windows, scripts such as `npx` are started by the shell.
 *
 * @example
 * toProgramAddress(["node", "server.js"], { folder: "/home/ada", scope: "user", env: {} })
 * // { command: "node", args: ["/home/ada/server.js"], env: {} }
 */
export function toProgramAddress(
  command: readonly string[],
  {
    folder,
    scope,
    client,
    env,
    platform = process.platform,
  }: {
    folder: string;
    scope: Scope;
    client?: InstallableClient | undefined;
    env: Record<string, string>;
    platform?: NodeJS.Platform;
  },
): ProgramAddress {
  const portable = command.map((part) => {
    if (!isPathIn(folder, part)) return part;
    if (scope === "user") return resolve(folder, part);
    return client?.name === "vscode" ? `\${workspaceFolder}/${part.replace(/^\.[\\/]/, "")}` : part;
  });
  const [program = "", ...args] = portable;
  // The project's configuration file may also be used on other systems.
  if (platform === "win32" && scope === "user" && SCRIPTS.test(program))
    return { command: "cmd", args: ["/c", program, ...args], env };
  const canFindNode = scope === "project" || client?.isGraphical !== true;
  return { command: program === "node" && !canFindNode ? process.execPath : program, args, env };
}

/**
 * Returns whether an argument is a relative path of an existing file or folder. A name without slashes must be a file, because a
 * folder may have the name of an npm package.
 */
function isPathIn(folder: string, part: string): boolean {
  const path = resolve(folder, part);
  if (part === path || part === "" || !existsSync(path)) return false;
  return /[\\/]|^\.\.?$/.test(part) || statSync(path).isFile();
}
