import { type Client, toUrlEntry } from "@tenon/runtime/clients";
import { Failure } from "../terminal/failure.js";

/** The address of a server: a command that the client starts, or a URL. */
export type ServerAddress =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> }
  | { readonly url: string; readonly headers: Record<string, string> };

/** A reference from a value in an entry to an environment variable of the client. */
export interface VariableReference {
  readonly name: string;
  readonly variable: string;
}

/** A function that creates the entry for a server. Returns undefined if the client does not support such an address. */
export type EntryFactory = (address: ServerAddress, name: string) => object | undefined;

/** The address of a server that the client starts. */
type ProgramAddress = Exclude<ServerAddress, { url: string }>;

/** The differences between the entries of a client and those of most clients. */
export interface EntryOptions {
  /** Creates the entry of a program. Default: `toProgramEntry`. */
  readonly toProgram?: ((address: ProgramAddress, name: string) => object) | undefined;
  /** Creates the members for the headers of a URL. Default: `headers`. */
  readonly toHeaders?: ((headers: Record<string, string>) => object) | undefined;
}

/** Creates the function that creates the entries of a client. */
export function createEntryFactory(
  client: Client,
  { toProgram = toProgramEntry, toHeaders = (headers) => omitIfEmpty("headers", headers) }: EntryOptions,
): EntryFactory {
  return (address, name) => {
    if (!("url" in address)) return toProgram(address, name);
    const entry = toUrlEntry(client, address.url, name);
    return entry && { ...entry, ...toHeaders(address.headers) };
  };
}

/** Returns the function that creates the entries of programs with the type of the transport. */
export function toTypedProgram(type: string): (address: ProgramAddress) => object {
  return (address) => ({ type, ...toProgramEntry(address) });
}

/** Creates the entry of a program for Codex, which lists variables of the client in a separate member. */
export function toCodexProgram(address: ProgramAddress): object {
  const names = Object.keys(address.env).filter(
    (name) => address.env[name] === toShellReference({ variable: name }),
  );
  const env = Object.fromEntries(Object.entries(address.env).filter(([name]) => !names.includes(name)));
  return { ...toProgramEntry({ ...address, env }), ...(names.length > 0 && { env_vars: names }) };
}

/**
 * Creates the headers for Codex, which lists variables in separate members.
 *
 * @throws Failure for other references
 */
export function toCodexHeaders(headers: Record<string, string>): object {
  const plain: Record<string, string> = {};
  const variables: Record<string, string> = {};
  let bearer: string | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const [, prefix = "", variable] = /^(.*)\$\{(\w+)\}$/s.exec(value) ?? [];
    if (variable === undefined) plain[name] = value;
    else if (prefix === "") variables[name] = variable;
    else if (/^bearer $/i.test(prefix) && /^authorization$/i.test(name)) bearer = variable;
    else
      throw new Failure(`Codex cannot put \`${prefix.trim()}\` before the variable in ${name}.`, {
        hint: `Store the whole value in the variable: --header '${name}: ${toShellReference({ variable })}'.`,
        exitCode: 2,
      });
  }
  return {
    ...omitIfEmpty("http_headers", plain),
    ...omitIfEmpty("env_http_headers", variables),
    ...(bearer !== undefined && { bearer_token_env_var: bearer }),
  };
}

/** Returns a reference in the syntax of a shell. */
export function toShellReference({ variable }: Pick<VariableReference, "variable">): string {
  return `\${${variable}}`;
}

/** Returns a reference as in VS Code tasks. */
export function toEnvReference({ variable }: VariableReference): string {
  return `\${env:${variable}}`;
}

/** Creates the entry of a program as most clients expect it. */
export function toProgramEntry({ command, args, env }: ProgramAddress): Record<string, unknown> {
  return { command, args, ...omitIfEmpty("env", env) };
}

/** Returns an object with these values under a key, or an empty object if there are none. */
export function omitIfEmpty(key: string, values: Record<string, string>): Record<string, unknown> {
  return Object.keys(values).length > 0 ? { [key]: values } : {};
}
