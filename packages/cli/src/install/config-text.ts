import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parse,
  parseTree,
  type ModificationOptions,
  type ParseError,
} from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { isMap, parseDocument } from "yaml";
import { Failure } from "../terminal/failure.js";
import { escapeRegExp } from "../terminal/text-format.js";
import { changePrompts, type Prompt } from "./prompts.js";

/** The text of a configuration file. */
export interface ConfigText {
  readonly format: "json" | "toml" | "yaml";
  /** The path of the file, for messages. */
  readonly file: string;
  readonly text: string;
}

/** A change to the list of servers of a configuration: an entry to set, or undefined to remove it. */
export interface ConfigChange {
  /** The key of the list of servers. */
  readonly key: string;
  readonly server: string;
  readonly entry: object | undefined;
  /** In clients that prompt for secrets: the key of the list of prompts, and the prompts that the entry uses. */
  readonly prompts?: { readonly key: string; readonly added: readonly Prompt[] } | undefined;
}

/** An object of settings by name. */
export type Settings = Record<string, unknown>;

/** A format of configuration files. */
interface ConfigFormat {
  /** @throws Error if the text is invalid */
  read(text: string): Settings;
  change(text: string, change: ConfigChange): string;
}

const FORMATS: Record<ConfigText["format"], ConfigFormat> = {
  json: { read: readJson, change: changeJson },
  toml: { read: (text) => parseToml(text), change: changeToml },
  yaml: { read: (text) => toSettings(readYaml(text).toJS()), change: changeYaml },
};

/**
 * Returns the text of a configuration with one server changed. Comments, order, and whitespace stay.
 *
 * @throws Failure if the text cannot be read or changed without loss
 */
export function changeConfig(config: ConfigText, change: ConfigChange): string {
  const before = readSettings(config, change);
  const text = FORMATS[config.format].change(config.text, change);
  // Checks that the libraries changed nothing else, as they might in an unusual text.
  if (!isDeepStrictEqual(readSettings({ ...config, text }, change), applyChange(before, change))) {
    throw new Failure(
      `Changing \`${change.server}\` in ${config.file} would change other parts of the file.`,
      {
        hint: "Edit the file yourself. `tenon install` without a client prints the entry.",
      },
    );
  }
  return text;
}

/** Returns the entry of a server in a configuration. */
export function findServer(config: ConfigText, { key, server }: Omit<ConfigChange, "entry">): unknown {
  return toSettings(readSettings(config, { key })[key])[server];
}

/** Reads a configuration. Adds the list of servers if it is missing, so that settings can be compared. */
function readSettings(
  { format, file, text }: ConfigText,
  { key, prompts }: Pick<ConfigChange, "key" | "prompts">,
): Settings {
  try {
    const settings = text.trim() === "" ? {} : structuredClone(FORMATS[format].read(text));
    if (prompts) toList(settings[prompts.key]);
    return { ...settings, [key]: toSettings(settings[key]) };
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n");
    throw new Failure(`${file} cannot be read: ${reason}`, {
      hint: "Fix the file, or move it away, and run the command again.",
      cause: error,
    });
  }
}

function applyChange(settings: Settings, { key, server, entry, prompts }: ConfigChange): Settings {
  const { [server]: _, ...others } = toSettings(settings[key]);
  const servers = entry === undefined ? others : { ...others, [server]: entry };
  const changed: Settings = { ...settings, [key]: servers };
  if (prompts) {
    const before = toList(settings[prompts.key]);
    const { after } = changePrompts(before, prompts.added, { before: settings[key], after: servers });
    if (after.length > 0 || prompts.key in settings) changed[prompts.key] = after;
  }
  return structuredClone(changed);
}

function toSettings(value: unknown): Settings {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Settings;
  throw new Error("it is not an object of settings");
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new Error("its prompts are not a list");
}

function readJson(text: string): Settings {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as unknown;
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new Error(`syntax error in line ${line}`);
  }
  return toSettings(value);
}

function changeJson(text: string, change: ConfigChange): string {
  const { key, server, entry, prompts } = change;
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
  let changed = base;
  const edit = (path: (string | number)[], value: unknown, options?: ModificationOptions): void => {
    changed = applyEdits(changed, modify(changed, path, value, { formattingOptions, ...options }));
  };
  for (const { path, value } of findDifferences(known && getNodeValue(known), entry, [key, server]))
    edit(path, value);
  if (prompts) {
    const settings = readJson(base);
    const { removed, added } = changePrompts(toList(settings[prompts.key]), prompts.added, {
      before: settings[key],
      after: applyChange(settings, change)[key],
    });
    for (const index of removed) edit([prompts.key, index], undefined);
    for (const prompt of added) edit([prompts.key, -1], prompt, { isArrayInsertion: true });
  }
  return text.trim() === "" ? `${changed}\n` : changed;
}

/** Removes the lines of a table and appends the new ones. No TOML library keeps comments. */
function changeToml(text: string, { key, server, entry }: ConfigChange): string {
  const heading = new RegExp(
    String.raw`^\s*\[\s*${key}\s*\.\s*(?:"${escapeRegExp(server)}"|'${escapeRegExp(server)}'|${escapeRegExp(server)})\s*[.\]]`,
  );
  let isServerTable = false;
  const otherLines = text.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isServerTable = heading.test(line);
    return !isServerTable || /^\s*#/.test(line);
  });
  const rest = otherLines.join("\n").trimEnd();
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
  for (const { path, value } of findDifferences(known, entry, [key, server])) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  return document.toString();
}

/** Finds the smallest changes that turn one value into another, so that comments in unchanged parts stay. */
function findDifferences(
  before: unknown,
  after: unknown,
  path: readonly string[],
): { path: string[]; value: unknown }[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isSettings(before) || !isSettings(after)) return [{ path: [...path], value: after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => findDifferences(before[name], after[name], [...path, name]));
}

/** Returns whether a value is an object of settings. */
export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
