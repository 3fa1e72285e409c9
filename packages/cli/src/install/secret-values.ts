import { isSecret } from "../package/settings/environment-options.js";
import { createReplacement, isSecretName, isLikelySecretName } from "../recording/secrets.js";
import { Failure } from "../terminal/failure.js";
import { rejectRepeatedNames } from "../terminal/repeated-name.js";
import { formatList } from "../terminal/text-format.js";
import type { InstallableClient, Scope } from "./client-config.js";
import { type VariableReference, toShellReference } from "./client-entry.js";

/** A value for a server: an environment variable or a header. Its `variable` is used if the value must not be written. */
export interface ServerValue extends VariableReference {
  /** The value, or undefined if the configuration must refer to it. */
  readonly value: string | undefined;
  /** The text before the variable, such as `Bearer `. */
  readonly prefix: string;
  /** Whether the name or the value looks like a secret. */
  readonly isSecret: boolean;
}

/** The place to which values are written. */
export interface Destination {
  /** The client, or undefined for an entry that is printed. */
  readonly client: InstallableClient | undefined;
  readonly scope: Scope;
  /** The name of the server in the configuration. */
  readonly server: string;
}

/** Values as a configuration contains them. */
export interface ConfigValues {
  readonly values: Record<string, string>;
  /** The values that the configuration refers to. */
  readonly referred: readonly ServerValue[];
}

/**
 * Parses `--env NAME=value`, or `--env NAME` for a variable that the configuration refers to.
 *
 * @throws Failure (exit code 2) if there is no name
 */
export function parseVariable(text: string): ServerValue {
  const [, name, value] = /^([^=\s]+)(?:=(.*))?$/s.exec(text) ?? [];
  // Text that is not a name may be a value without one: a secret, which is not printed.
  if (name === undefined || (value === undefined && !/^[a-z_]\w*$/i.test(name)))
    throw new Failure("--env requires NAME=value, or a NAME of letters, digits, and `_`.", { exitCode: 2 });
  const looksSecret = isSecret(name) || isLikelySecretName(name) || hasSecret(value);
  return { name, value, variable: name, prefix: "", isSecret: looksSecret };
}

/**
 * Parses `--header "Name: value"`. The value may end in a reference such as `${API_KEY}`.
 *
 * @param server the name of the server, for the variable of a secret value
 * @throws Failure (exit code 2) if the name or the value is missing
 */
export function parseHeader(text: string, server: string): ServerValue {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(\S.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    // The value may be a secret and is not printed.
    throw new Failure(
      `--header requires "Name: value" (got ${JSON.stringify(text.split(/[:\s]/, 1)[0])}…).`,
      { exitCode: 2 },
    );
  const [, before = "", variable] = /^(.*)\$\{(\w+)\}$/.exec(value) ?? [];
  if (variable !== undefined) return { name, value: undefined, variable, prefix: before, isSecret: true };
  const isBearer = /^Bearer /i.test(value);
  return {
    name,
    value,
    variable: `${server}_${isBearer && /^authorization$/i.test(name) ? "token" : name}`
      .replaceAll(/\W/g, "_")
      .toUpperCase(),
    prefix: isBearer ? "Bearer " : "",
    isSecret: isSecretName(name) || SECRET_HEADER.test(name) || hasSecret(value) || looksRandom(value),
  };
}

/**
 * Parses the values of an option.
 *
 * @throws Failure (exit code 2) if a value is invalid or a name is repeated
 */
export function parseValues(
  option: "--env" | "--header",
  texts: readonly string[] = [],
  parse: (text: string) => ServerValue,
): ServerValue[] {
  const values = texts.map(parse);
  rejectRepeatedNames(
    option,
    values.map(({ name }) => name),
  );
  return values;
}

/** Returns the environment to start the server with. Values that are missing come from the environment of this process. */
export function toEnvironment(variables: readonly ServerValue[]): Record<string, string> {
  return Object.fromEntries(
    variables.map(({ name, value }) => [name, value ?? process.env[name] ?? ""] as const),
  );
}

/**
 * Replaces secrets with references to environment variables, or with prompts in clients that have them. Files of a project
 * are usually committed, so they never contain a secret.
 *
 * @throws Failure if the client cannot refer to environment variables
 */
export function referToSecrets(
  given: readonly ServerValue[],
  { client, scope, server }: Destination,
): ConfigValues {
  const isReferred = ({ value, isSecret }: ServerValue): boolean =>
    value === undefined ||
    (isSecret && client !== undefined && (scope === "project" || client.hasPrompts === true));
  const format = client === undefined ? toShellReference : client.reference;
  const referred = given.filter(isReferred);
  const [first] = referred;
  if (client !== undefined && format === undefined && first !== undefined)
    throw createReferenceFailure(first, client);
  const values = given.map((each) => {
    const text = isReferred(each) && format ? each.prefix + format(each, server) : (each.value ?? "");
    return [each.name, text] as const;
  });
  return { values: Object.fromEntries(values), referred };
}

/**
 * Checks that a command or a URL for a file of a project contains no secret, which could not be replaced there.
 *
 * @throws Failure (exit code 2) if a part looks like a secret
 */
export function checkPublic(parts: readonly string[], scope: Scope): void {
  if (scope !== "project") return;
  if (!hasSecret(parts.join(" ")) && !parts.some(hasSecretOption) && !parts.some(hasSecretInUrl)) return;
  // The value is a secret and is not printed.
  throw new Failure(
    "The command or URL contains a secret, which a file in the project would reveal to anyone.",
    {
      hint: "Pass it with --env or --header, or omit --scope project.",
      exitCode: 2,
    },
  );
}

/** Returns the sentence that explains where the client finds secrets. */
export function formatReferences(
  { label, hasPrompts }: InstallableClient,
  values: readonly ServerValue[],
): string {
  if (hasPrompts === true) {
    const names = formatList(
      values.map(({ name }) => name),
      "and",
    );
    return `${label} asks for ${names} when it starts the server. The file does not contain ${values.length === 1 ? "its value" : "their values"}.`;
  }
  const variables = formatList(
    values.map(({ variable }) => variable),
    "and",
  );
  return `The file refers to ${variables}: set ${values.length === 1 ? "it" : "them"} in the environment of ${label}.`;
}

function createReferenceFailure({ name, value, variable }: ServerValue, client: InstallableClient): Failure {
  if (value === undefined)
    return new Failure(`The configuration of ${client.label} cannot refer to environment variables.`, {
      hint: `Pass the value of ${name}.`,
      exitCode: 2,
    });
  const isHeader = variable !== name;
  const alternative = isHeader ? "" : `, or set ${name} in the environment of ${client.label}`;
  return new Failure(
    `${name} would be in plain text in a file of the project, because ${client.label} cannot refer to ` +
      "environment variables.",
    { hint: `Omit --scope project${alternative}.`, exitCode: 2 },
  );
}

/** Matches headers such as `X-Functions-Key`, `Ocp-Apim-Subscription-Key`, and `X-Session`. */
const SECRET_HEADER = /(?:^|-)(?:auth|key|signature|token|secret|session(?:-?id)?|sid)$/i;

/** Returns whether an argument is the value of an option such as `--token`. */
function hasSecretOption(part: string, index: number, parts: readonly string[]): boolean {
  const [, name = "", inline] = /^--?([\w-]+)(?:=(.*))?$/s.exec(part) ?? [];
  if (!isLikelySecretName(name)) return false;
  const value = inline ?? parts[index + 1] ?? "";
  return value !== "" && !/^[-$]/.test(value);
}

/** Returns whether the path or the parameters of a URL contain a key, as in `/s/3f6c…/mcp` and `?config=…`. */
function hasSecretInUrl(part: string): boolean {
  if (!/^https?:/.test(part) || !URL.canParse(part)) return false;
  const { pathname, searchParams } = new URL(part);
  return (
    pathname.split("/").some(looksRandom) ||
    [...searchParams.keys()].some((name) => /^(?:code|config)$/i.test(name) || isLikelySecretName(name))
  );
}

/** Returns whether a string is probably a random key, and not composed of words. IDs such as UUIDs are not keys. */
function looksRandom(text: string): boolean {
  const isMixed = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text));
  return /^[\w=-]{20,}$/.test(text) && (isMixed || (/^[a-z\d]+$/i.test(text) && /\d.*\d.*\d/.test(text)));
}

function hasSecret(value = ""): boolean {
  return createReplacement([]).replaceIn(value) !== value;
}
