import { Failure } from "../terminal/failure.js";

export type Headers = Readonly<Record<string, string>>;

/**
 * Reads headers from the command line.
 *
 * @param lines each a name and a value, with `:` or `=` between them
 * @throws Failure (exit code 2) when one has no name or no value
 * @example
 * readHeaders(["Authorization: Bearer …", "X-Team=blue"])
 */
export function readHeaders(lines: readonly string[] = []): Headers {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+)\s*[:=]\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== "") return [name, value];
      // The value may be a secret, and errors end up in logs.
      throw new Failure("A header has a name and a value.", {
        hint: 'Write --header "Name: value" or --header Name=value.',
        exitCode: 2,
      });
    }),
  );
}

/** True where the person has given what a login would give. */
export function authorizes(headers: Headers): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/**
 * Sends headers with requests to one origin alone: they may be secrets, and a server names the addresses of its login
 * itself.
 */
export function fetchWith(headers: Headers, { origin }: URL): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) return fetch(input, init);
    const all = new globalThis.Headers(headers);
    new globalThis.Headers(init?.headers).forEach((value, name) => all.set(name, value));
    return fetch(input, { ...init, headers: all });
  };
}

/** What of these headers is not to be shown: whole values, and what follows the scheme in one. */
export function secretsIn(headers: Headers): string[] {
  return Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]);
}

/** A text in which secrets are covered, wherever they have got into it. */
export function covered(text: string, secrets: Iterable<string>): string {
  let shown = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length))
    if (secret.length >= 4) shown = shown.replaceAll(secret, "[hidden]");
  return shown;
}
