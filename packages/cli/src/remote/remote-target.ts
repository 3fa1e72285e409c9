import { Failure } from "../terminal/failure.js";

/** A server that is running somewhere else, or a program that is one. */
export type RemoteTarget =
  { readonly url: URL } | { readonly command: string; readonly args: readonly string[] };

/**
 * What words of a command line name: an address, or a program and what follows it.
 *
 * @throws Failure (exit code 2) when they name nothing
 * @example
 * remoteTarget(["https://mcp.example.com/mcp"])
 * remoteTarget(["node", "server.js"])
 */
export function remoteTarget(words: readonly string[]): RemoteTarget {
  const [first, ...args] = words;
  if (first === undefined)
    throw new Failure("Name the URL of a server, or the command that starts one.", { exitCode: 2 });
  if (!isAddress(first)) return { command: first, args };
  if (args.length > 0)
    throw new Failure(`A URL takes no arguments: remove \`${args.join(" ")}\`.`, { exitCode: 2 });
  if (URL.canParse(first)) return { url: new URL(first) };
  throw new Failure(`\`${first}\` is no URL.`, { exitCode: 2 });
}

/** True for what is meant as a URL. Neither a folder nor a tool looks like that. */
export function isAddress(word: string): boolean {
  return /^https?:/i.test(word);
}

/** How people know a target. Passwords in a URL are no part of that. */
export function nameOf(target: RemoteTarget): string {
  if (!("url" in target)) return [target.command, ...target.args].join(" ");
  const shown = new URL(target.url);
  shown.username = "";
  shown.password = "";
  return shown.href;
}
