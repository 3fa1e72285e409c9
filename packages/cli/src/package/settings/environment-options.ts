import type { EnvironmentVariable } from "@tenon/compiler";

/** Of what is handed over as a variable of the environment. */
export type VariableFormat = "string" | "number" | "filepath" | "folder";

/**
 * Names of what nobody else may read.
 *
 * @example
 * isSecret("WEATHER_API_KEY") // true
 */
export function isSecret(name: string): boolean {
  return /(?:^|_)(?:(?:API_?|ACCESS_?|PRIVATE_?|SECRET_?)?KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|DSN|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES)_UR[IL])$/i.test(
    name,
  );
}

/** What a variable holds, by its name and what the source takes in its place. */
export function formatOf({ name, default: fallback }: EnvironmentVariable): VariableFormat {
  if (/_(?:DIR|DIRECTORY|FOLDER)$/i.test(name)) return "folder";
  if (/_FILE$/i.test(name)) return "filepath";
  return fallback !== undefined && /^-?\d+(?:\.\d+)?$/.test(fallback) ? "number" : "string";
}

/**
 * A name as a person reads it.
 *
 * @example
 * titleOf("WEATHER_API_KEY") // "Weather API key"
 */
export function titleOf(name: string): string {
  const words = name
    .split("_")
    .map((word) =>
      /^(?:API|URL|URI|ID|DB|SQL|HTTP|AWS|PAT|TTL|MS)$/.test(word) ? word : word.toLowerCase(),
    );
  const title = words.join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/**
 * Names of what a machine or a platform sets, so that nobody is asked for it.
 *
 * @example
 * isOfMachine("HOME") // true
 */
export function isOfMachine(name: string): boolean {
  return /^(?:CI|HOME|USERPROFILE|(?:LOCAL)?APPDATA|PATH|PWD|TMPDIR|TE?MP|USER(?:NAME)?|SHELL|LANG|LC_\w+|TZ|TERM|NODE_\w+|PORT|HOST(?:NAME)?|XDG_\w+|TENON_\w+|NO_COLOR|FORCE_COLOR)$/.test(
    name,
  );
}
