import { Failure } from "../terminal/failure.js";

/** A running server by its URL, or a command that starts one. */
export type RemoteTarget =
  { readonly url: URL } | { readonly command: string; readonly args: readonly string[] };

/**
 * Reads a target from arguments: a URL, or a command and its arguments.
 *
 * @throws Failure (exit code 2) if they are empty
 * @example
 * parseRemoteTarget(["https://mcp.example.com/mcp"])
 * parseRemoteTarget(["node", "server.js"])
 */
export function parseRemoteTarget(args: readonly string[]): RemoteTarget {
  const [first, ...others] = args;
  if (first === undefined)
    throw new Failure("Name the URL of a server, or the command that starts one.", { exitCode: 2 });
  if (!isAddress(first)) return { command: first, args: others };
  if (others.length > 0)
    throw new Failure(`A URL accepts no arguments. Remove \`${others.join(" ")}\`.`, { exitCode: 2 });
  if (URL.canParse(first)) return { url: new URL(first) };
  throw new Failure(`\`${first}\` is not a URL.`, { exitCode: 2 });
}

/** Returns whether an argument is an HTTP URL. The names of folders and tools never look like one. */
export function isAddress(argument: string): boolean {
  return /^https?:/i.test(argument);
}

/** Formats a target, without the password in a URL. */
export function formatTarget(target: RemoteTarget): string {
  if (!("url" in target)) return [target.command, ...target.args].join(" ");
  const shown = new URL(target.url);
  shown.username = "";
  shown.password = "";
  return shown.href;
}
