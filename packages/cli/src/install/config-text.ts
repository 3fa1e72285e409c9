import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parse,
  parseTree,
  type ParseError,
} from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { isMap, parseDocument } from "yaml";
import { Failure } from "../terminal/failure.js";

/** A change to the list of servers of a configuration: an entry to set, or undefined to take it out. */
export interface ConfigChange {
  /** Under which servers are listed. */
  readonly key: string;
  readonly server: string;
  readonly entry: object | undefined;
}

/** What stands in a configuration, by name. */
export type Settings = Record<string, unknown>;

/** A notation in which clients keep their configuration. */
interface Notation {
  /** @throws Error for text that is none */
  read(text: string): Settings;
  change(text: string, change: ConfigChange): string;
}

const NOTATIONS: Record<"json" | "toml" | "yaml", Notation> = {
  json: { read: readJson, change: changeJson },
  toml: { read: (text) => parseToml(text), change: changeToml },
  yaml: { read: (text) => asSettings(readYaml(text).toJS()), change: changeYaml },
};

/**
 * The text of a configuration with one server changed, and all else in it as it was: comments, order and whitespace too.
 *
 * @throws Failure when the text cannot be read, so that nothing in it is lost
 */
export function changedConfig(format: keyof typeof NOTATIONS, text: string, change: ConfigChange): string {
  const { read, change: changeText } = NOTATIONS[format];
  const before = settingsIn(read, text);
  const changed = changeText(text, change);
  // Only what was asked for may have changed, whatever the libraries make of an unusual text.
  if (!isDeepStrictEqual(withServers(settingsIn(read, changed), change), expected(before, change))) {
    throw new Failure(
      "The configuration is written in a way that cannot be changed without changing more of it.",
    );
  }
  return changed;
}

/** What a configuration has of a server. */
export function configured(
  format: keyof typeof NOTATIONS,
  text: string,
  { key, server }: Omit<ConfigChange, "entry">,
): unknown {
  return asSettings(settingsIn(NOTATIONS[format].read, text)[key])[server];
}

function settingsIn(read: (text: string) => Settings, text: string): Settings {
  try {
    return text.trim() === "" ? {} : structuredClone(read(text));
  } catch (error) {
    throw error instanceof Failure ? error : unreadable((error as Error).message.split("\n")[0] ?? "", error);
  }
}

function unreadable(why: string, cause?: unknown): Failure {
  return new Failure(`The configuration cannot be read: ${why}`, { cause });
}

function expected(before: Settings, change: ConfigChange): Settings {
  const settings = withServers(before, change);
  const { [change.server]: _, ...others } = asSettings(settings[change.key]);
  const servers = change.entry === undefined ? others : { ...others, [change.server]: change.entry };
  return structuredClone({ ...settings, [change.key]: servers });
}

/** No list of servers, and one without any, are the same. */
function withServers(settings: Settings, { key }: ConfigChange): Settings {
  return { ...settings, [key]: asSettings(settings[key]) };
}

function asSettings(value: unknown): Settings {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Settings;
  throw unreadable("it holds no settings by name");
}

function readJson(text: string): Settings {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as unknown;
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new Error(`there is something wrong in line ${line}`);
  }
  return asSettings(value);
}

function changeJson(text: string, { key, server, entry }: ConfigChange): string {
  const base = text.trim() === "" ? "{}" : text;
  const tree = parseTree(base);
  if (entry === undefined && (!tree || !findNodeAtLocation(tree, [key, server]))) return text;
  const indent = /^[ \t]+(?=")/m.exec(base)?.[0] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: base.includes("\r\n") ? "\r\n" : "\n",
  };
  const known = tree && findNodeAtLocation(tree, [key, server]);
  const changed = differences(known && getNodeValue(known), entry, [key, server]).reduce(
    (text, { path, value }) => applyEdits(text, modify(text, path, value, { formattingOptions })),
    base,
  );
  return text.trim() === "" ? `${changed}\n` : changed;
}

/** The lines of a table and of the tables in it go, and the new ones come to the end: no library keeps comments. */
function changeToml(text: string, { key, server, entry }: ConfigChange): string {
  const heading = new RegExp(
    String.raw`^\s*\[\s*${key}\s*\.\s*(?:"${escaped(server)}"|'${escaped(server)}'|${escaped(server)})\s*[.\]]`,
  );
  let isOurs = false;
  const kept = text.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = heading.test(line);
    return !isOurs || /^\s*#/.test(line);
  });
  const rest = kept.join("\n").trimEnd();
  if (entry === undefined) return rest === "" ? "" : `${rest}\n`;
  const table = stringifyToml({ [key]: { [server]: entry } }).replace(`[${key}]\n`, "");
  return `${rest === "" ? "" : `${rest}\n\n`}${table.trim()}\n`;
}

function readYaml(text: string): ReturnType<typeof parseDocument> {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document;
}

function changeYaml(text: string, { key, server, entry }: ConfigChange): string {
  const document = readYaml(text);
  if (entry === undefined && !document.hasIn([key, server])) return text;
  const found = document.getIn([key, server], true);
  const known: unknown = isMap(found) ? found.toJS(document) : undefined;
  for (const { path, value } of differences(known, entry, [key, server])) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  return document.toString();
}

/** The smallest parts of a value that have to be written for it to become another, so that comments beside them stay. */
function differences(
  before: unknown,
  after: unknown,
  path: readonly string[],
): { path: string[]; value: unknown }[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isSettings(before) || !isSettings(after)) return [{ path: [...path], value: after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differences(before[name], after[name], [...path, name]));
}

/** True for what has settings by name. */
export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
