import { maskSecrets } from "@tenon/runtime/log";
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
    throw new Failure("Pass the URL of a server, or the command that starts one.", { exitCode: 2 });
  if (!isAddress(first)) return { command: first, args: others };
  if (others.length > 0)
    throw new Failure(`A URL accepts no arguments. Remove \`${others.join(" ")}\`.`, { exitCode: 2 });
  if (URL.canParse(first)) return { url: new URL(first) };
  throw new Failure(`\`${maskSecrets(first)}\` is not a URL.`, { exitCode: 2 });
}

/** Returns whether an argument is an HTTP URL. The names of folders and tools never look like one. */
export function isAddress(argument: string): boolean {
  return /^https?:/i.test(argument);
}

/** Formats a target for people, without the secrets in it: output may be logged. */
export function formatTarget(target: RemoteTarget): string {
  return "url" in target ? formatUrl(target.url) : maskSecrets([target.command, ...target.args].join(" "));
}

/** Formats a URL for people, without its user name and password, and with keys in its query masked. */
export function formatUrl(url: URL): string {
  return maskSecrets(omitCredentials(url).href);
}

/** Returns a URL without its user name and password. */
export function omitCredentials(url: URL): URL {
  const rest = new URL(url);
  rest.username = "";
  rest.password = "";
  return rest;
}
