import type { EnvironmentVariable } from "@tenon/compiler";
import { formatList } from "../../terminal/text-format.js";

/** The format of the value of an environment variable. */
export type VariableFormat = "string" | "number" | "filepath" | "folder";

/**
 * Returns whether the name of a variable indicates a secret.
 *
 * @example
 * isSecret("WEATHER_API_KEY") // true
 */
export function isSecret(name: string): boolean {
  return /(?:^|_)(?:(?:API_?|ACCESS_?|PRIVATE_?|SECRET_?)?KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|DSN|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES)_UR[IL])$/i.test(
    name,
  );
}

/**
 * Reports reads of variables that cannot be listed.
 *
 * @param unknownAt where the sources read variables whose names are unknown
 */
export function describeUnknownReads(unknownAt: readonly string[]): string[] {
  if (unknownAt.length === 0) return [];
  return [
    `Not listed: the variables that are read in ${formatList(unknownAt, "and")}, where their names are unknown. Write \`process.env.NAME\`, or declare the name as \`"FIRST" | "SECOND"\`.`,
  ];
}

/** Guesses the format of a variable from its name and its default. */
export function getFormat({ name, default: fallback }: EnvironmentVariable): VariableFormat {
  if (/_(?:DIR|DIRECTORY|FOLDER)$/i.test(name)) return "folder";
  if (/_FILE$/i.test(name)) return "filepath";
  return fallback !== undefined && /^-?\d+(?:\.\d+)?$/.test(fallback) ? "number" : "string";
}

/**
 * Converts the name of a variable to a display name.
 *
 * @example
 * toTitle("WEATHER_API_KEY") // "Weather API key"
 */
export function toTitle(name: string): string {
  const words = name
    .split("_")
    .map((word) =>
      /^(?:API|URL|URI|ID|DB|SQL|HTTP|AWS|PAT|TTL|MS)$/.test(word) ? word : word.toLowerCase(),
    );
  const title = words.join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/**
 * Returns whether a machine or a platform sets a variable, so that users are not prompted for it.
 *
 * @example
 * isSetByMachine("HOME") // true
 */
export function isSetByMachine(name: string): boolean {
  return /^(?:CI|HOME|USERPROFILE|(?:LOCAL)?APPDATA|PATH|PWD|TMPDIR|TE?MP|USER(?:NAME)?|SHELL|LANG|LC_\w+|TZ|TERM|NODE_\w+|PORT|HOST(?:NAME)?|XDG_\w+|TENON_\w+|NO_COLOR|FORCE_COLOR)$/.test(
    name,
  );
}
