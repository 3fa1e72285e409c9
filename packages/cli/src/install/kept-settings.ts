import { isDeepStrictEqual } from "node:util";
import { isSettings, type Settings } from "./config-text.js";

/** What an update writes of a server, and what it leaves as it was. */
export interface UpdatedEntry {
  readonly entry: object;
  /** What is not as Tenon would write it: names alone, since values may be secrets. */
  readonly kept: readonly string[];
}

/** By which keys clients say what to start, and what is handed to that. */
const PROGRAM = {
  reach: ["command", "cmd", "args"],
  given: ["env", "envs", "environment"],
  other: ["cwd", "envFile"],
};
/** The same of an address. */
const ADDRESS = {
  reach: ["url", "uri", "serverUrl", "httpUrl"],
  given: ["headers", "http_headers"],
  other: [],
};
const KINDS = [PROGRAM, ADDRESS];

/**
 * What a client is told of a server that it knows already: how to reach it is new, and what somebody has set beside that is
 * kept, such as a variable, `disabled`, `timeout` or arguments around the server's own.
 *
 * @param known what the configuration has of it
 * @param fresh what it would have of a new server
 * @example
 * updatedEntry({ command: "node", args: ["old.js"], env: { KEY: "k" }, disabled: true }, { command: "node", args: ["new.js"] })
 * // { entry: { command: "node", args: ["new.js"], env: { KEY: "k" }, disabled: true }, kept: ["KEY in env", "disabled"] }
 */
export function updatedEntry(known: unknown, fresh: object): UpdatedEntry {
  if (!isSettings(known) || !isSettings(fresh)) return { entry: fresh, kept: [] };
  const kind = kindOf(fresh);
  // What a program finds in its environment is no header, and means nothing to an address.
  const others = KINDS.filter((each) => each !== kind).flatMap(({ given, other }) => [...given, ...other]);
  const dropped = new Set(["type", ...KINDS.flatMap(({ reach }) => reach), ...others]);
  const entry: Record<string, unknown> = { ...fresh };
  const kept: string[] = [];
  for (const [key, value] of Object.entries(known)) {
    const now = fresh[key];
    if (kind.given.includes(key) && isSettings(value)) {
      const set = isSettings(now) ? now : {};
      entry[key] = { ...value, ...set };
      kept.push(
        ...Object.keys(value)
          .filter((name) => !(name in set))
          .map((name) => `${name} in ${key}`),
      );
    } else if (Array.isArray(now) && kind.reach.includes(key)) {
      const words = keptWords(key, value, now);
      entry[key] = words ?? now;
      if (words && !isDeepStrictEqual(words, now)) kept.push(key);
    } else if (!dropped.has(key)) {
      entry[key] = value;
      if (!isDeepStrictEqual(value, now)) kept.push(key);
    }
  }
  return { entry, kept };
}

/**
 * True when both are the same program with the same arguments, or the same address, whatever else is said of it. The path
 * of Node itself may be another one since.
 *
 * @param known what a configuration has
 */
export function reachesSame(known: unknown, entry: object): boolean {
  return isSettings(known) && isSettings(entry) && isDeepStrictEqual(reachOf(known), reachOf(entry));
}

function reachOf(entry: Settings): unknown[] {
  const [first, ...rest] = KINDS.flatMap(({ reach }) => reach).flatMap((key) => entry[key] ?? []);
  return [typeof first === "string" ? first.replace(/^.*[\\/](node)(?:\.exe)?$/, "$1") : first, ...rest];
}

function kindOf(entry: Settings): typeof PROGRAM {
  return ADDRESS.reach.some((key) => key in entry) ? ADDRESS : PROGRAM;
}

/** Arguments that have all of the new ones are somebody's own, such as `--env-file` before a script. */
function keptWords(key: string, known: unknown, fresh: readonly unknown[]): unknown[] | undefined {
  if (!Array.isArray(known)) return undefined;
  const starts = key === "args" ? 0 : 1;
  const words = known.slice(starts) as unknown[];
  const hasAll = fresh.slice(starts).every((word) => words.includes(word));
  return hasAll ? [...fresh.slice(0, starts), ...words] : undefined;
}
