import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isInside } from "../files/is-inside.js";
import { isSettings, type Settings } from "./config-settings.js";

/** An updated entry, with the user's settings that it keeps. */
export interface UpdatedEntry {
  readonly entry: object;
  /** The names of settings that differ from a new entry. Values are omitted, since they may be secrets. */
  readonly keptSettings: readonly string[];
}

/** The keys of entries for commands: address, values that the user may extend, and options. */
const PROGRAM = {
  address: ["command", "cmd", "args"],
  values: ["env", "envs", "environment", "env_vars"],
  options: ["cwd", "envFile"],
};
/** The keys of entries for URLs: address, values that the user may extend, and options. */
const ADDRESS = {
  address: ["url", "uri", "serverUrl", "httpUrl"],
  values: ["headers", "http_headers", "env_http_headers"],
  options: [],
};
const KINDS = [PROGRAM, ADDRESS];

/**
 * Updates the entry of a server: replaces its address and keeps the user's own settings, such as variables, `disabled`,
 * `timeout`, or additional arguments.
 *
 * @param existing the entry in the configuration
 * @param fresh the entry for a new server
 * @example
 * updateEntry({ command: "node", args: ["old.js"], env: { KEY: "k" }, disabled: true }, { command: "node", args: ["new.js"] })
 * // { entry: { command: "node", args: ["new.js"], env: { KEY: "k" }, disabled: true }, keptSettings: ["KEY in env", "disabled"] }
 */
export function updateEntry(existing: unknown, fresh: object): UpdatedEntry {
  if (!isSettings(existing) || !isSettings(fresh)) return { entry: fresh, keptSettings: [] };
  const kind = getKind(fresh);
  // Environment variables of a command do not apply to a URL, and headers of a URL do not apply to a command.
  const others = KINDS.filter((each) => each !== kind).flatMap(({ values, options }) => [
    ...values,
    ...options,
  ]);
  const dropped = new Set(["type", ...KINDS.flatMap(({ address }) => address), ...others]);
  const entry: Record<string, unknown> = { ...fresh };
  const keptNames: string[] = [];
  for (const [key, value] of Object.entries(existing)) {
    const newValue = fresh[key];
    if (kind.values.includes(key) && isSettings(value)) {
      const newValues = isSettings(newValue) ? newValue : {};
      entry[key] = { ...value, ...newValues };
      keptNames.push(
        ...Object.keys(value)
          .filter((name) => !(name in newValues))
          .map((name) => `${name} in ${key}`),
      );
    } else if (kind.values.includes(key) && Array.isArray(value) && Array.isArray(newValue)) {
      const missing = newValue.filter((each) => !value.includes(each)) as unknown[];
      entry[key] = [...(value as unknown[]), ...missing];
    } else if (Array.isArray(newValue) && kind.address.includes(key)) {
      const merged = mergeArguments(key, value, newValue);
      entry[key] = merged ?? newValue;
      if (merged && !isDeepStrictEqual(merged, newValue)) keptNames.push(key);
    } else if (!dropped.has(key)) {
      entry[key] = value;
      if (!isDeepStrictEqual(value, newValue)) keptNames.push(key);
    }
  }
  return { entry, keptSettings: keptNames };
}

/**
 * Returns whether two entries have the same URL, or the same command and arguments. The path of Node may differ.
 *
 * @param existing the entry in a configuration
 */
export function isSameServer(existing: unknown, entry: object): boolean {
  return (
    isSettings(existing) && isSettings(entry) && isDeepStrictEqual(getAddress(existing), getAddress(entry))
  );
}

/**
 * Returns whether the command of an entry runs a script in the project folder. Other programs may receive the folder itself,
 * or a file in it, as an argument.
 */
export function runsScriptIn(entry: unknown, root: string): boolean {
  return (
    isSettings(entry) &&
    PROGRAM.address
      .flatMap((key) => entry[key] ?? [])
      .some((arg) => typeof arg === "string" && isScript(arg) && isInProject(arg, root))
  );
}

function isInProject(arg: string, root: string): boolean {
  const path = arg.replace(/^\$\{workspaceFolder\}[\\/]/, `${root}/`);
  // A relative path in a file of the project is the one that `install --scope project` writes.
  return isAbsolute(path) ? isInside(path, root) : /^(?:\.[\\/])?dist[\\/]server\.js$/.test(path);
}

function isScript(arg: string): boolean {
  return /\.[cm]?[jt]s$/.test(arg);
}

function getAddress(entry: Settings): unknown[] {
  const [first, ...rest] = KINDS.flatMap(({ address }) => address).flatMap((key) => entry[key] ?? []);
  return [typeof first === "string" ? first.replace(/^.*[\\/](node)(?:\.exe)?$/, "$1") : first, ...rest];
}

function getKind(entry: Settings): typeof PROGRAM {
  return ADDRESS.address.some((key) => key in entry) ? ADDRESS : PROGRAM;
}

/** Returns the user's arguments if they include all new ones, for example after adding `--env-file` before the script. */
function mergeArguments(key: string, existing: unknown, fresh: readonly unknown[]): unknown[] | undefined {
  if (!Array.isArray(existing)) return undefined;
  const firstArgument = key === "args" ? 0 : 1;
  const args = existing.slice(firstArgument) as unknown[];
  const hasAll = fresh.slice(firstArgument).every((arg) => args.includes(arg));
  return hasAll ? [...fresh.slice(0, firstArgument), ...args] : undefined;
}
