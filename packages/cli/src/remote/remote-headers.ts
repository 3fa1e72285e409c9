import { Failure } from "../terminal/failure.js";
import { rejectRepeatedNames } from "../terminal/repeated-name.js";
import { omitCredentials } from "./remote-target.js";

/** HTTP headers by name. */
export type Headers = Readonly<Record<string, string>>;

/**
 * Parses headers from the command line.
 *
 * @param lines names and values, separated by `:` or `=`
 * @throws Failure (exit code 2) if a name or value is missing, or a name is repeated
 * @example
 * readHeaders(["Authorization: Bearer …", "X-Team=blue"])
 */
export function readHeaders(lines: readonly string[] = []): Headers {
  const headers = lines.map((line) => {
    const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+)\s*[:=]\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== "") return [name, value] as const;
    // The value may be a secret, and errors may be logged.
    throw new Failure("The name or value of a header is missing.", {
      hint: 'Write --header "Name: value" or --header Name=value.',
      exitCode: 2,
    });
  });
  rejectRepeatedNames(
    "--header",
    headers.map(([name]) => name),
  );
  return Object.fromEntries(headers);
}

/**
 * Converts the user name and password of a URL to a header, since fetch rejects such URLs.
 *
 * @throws Failure (exit code 2) if they are not encoded correctly
 */
export function separateCredentials(url: URL, headers: Headers = {}): { url: URL; headers: Headers } {
  const { username, password } = url;
  if (`${username}${password}` === "") return { url, headers };
  const pair = [username, password].map(decodeCredential).join(":");
  return {
    url: omitCredentials(url),
    headers: { Authorization: `Basic ${Buffer.from(pair).toString("base64")}`, ...headers },
  };
}

function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Failure("The user name or password in the URL has a `%` that encodes no character.", {
      hint: "Write `%25` for a percent sign.",
      exitCode: 2,
    });
  }
}

/** Returns whether the headers contain credentials, so that no login is needed. */
export function hasAuthorization(headers: Headers): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/**
 * Creates a `fetch` that sends headers only to one origin: they may be secrets, and the server chooses the URLs of its
 * login.
 */
export function createFetch(headers: Headers, { origin }: URL): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) return fetch(input, init);
    const all = new globalThis.Headers(headers);
    new globalThis.Headers(init?.headers).forEach((value, name) => all.set(name, value));
    return fetch(input, { ...init, headers: all });
  };
}

/** Returns the secrets in headers: whole values, and credentials after a scheme. */
export function findSecrets(headers: Headers): string[] {
  return Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]);
}

/** Masks all secrets in a string. */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length))
    if (secret.length >= 4) masked = masked.replaceAll(secret, "[hidden]");
  return masked;
}
