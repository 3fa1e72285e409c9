import { isDeepStrictEqual } from "node:util";
import { appendJsonItem, readJson, removeJsonItem, setJsonMember } from "./config-json.js";
import {
  type ConfigChange,
  getOwn,
  type Settings,
  toSettings,
  UnchangeableTextError,
} from "./config-settings.js";
import { changeToml, readToml } from "./config-toml.js";
import { readYaml, setYamlMember } from "./config-yaml.js";
import { Failure } from "../terminal/failure.js";
import { changePrompts } from "./prompts.js";

/** The text of a configuration file. */
export interface ConfigText {
  readonly format: "json" | "toml" | "yaml";
  /** The path of the file, for messages. */
  readonly file: string;
  readonly text: string;
}

/** A format of configuration files. */
interface ConfigFormat {
  /** @throws Error if the text is invalid */
  read(text: string): Settings;
  change(text: string, change: ConfigChange): string;
}

const FORMATS: Record<ConfigText["format"], ConfigFormat> = {
  json: { read: readJson, change: changeJson },
  toml: { read: readToml, change: changeToml },
  yaml: {
    read: readYaml,
    change: (text, { key, server, entry }) => setYamlMember(text, [key, server], entry),
  },
};

/**
 * Returns the text of a configuration with one server changed. Comments, order, and whitespace stay.
 *
 * @throws Failure if the text cannot be read or changed without loss
 */
export function changeConfig(config: ConfigText, change: ConfigChange): string {
  const before = readSettings(config, change);
  const text = changeText(config, change);
  // Checks that nothing else has changed, as it might in an unusual file.
  if (text !== undefined && isDeepStrictEqual(readChanged(config, text, change), applyChange(before, change)))
    return text;
  throw new Failure(`Changing \`${change.server}\` in ${config.file} would change other parts of the file.`, {
    hint: "Edit the file yourself. `tenon install` without a client prints the entry.",
  });
}

/** Returns the changed text, or undefined if the structure of the text prevents the change. */
function changeText({ format, text }: ConfigText, change: ConfigChange): string | undefined {
  try {
    return FORMATS[format].change(text, change);
  } catch (error) {
    if (error instanceof UnchangeableTextError) return undefined;
    throw error;
  }
}

/** Reads a changed text, or returns undefined if it is invalid, as after the removal of an anchor that aliases use. */
function readChanged(config: ConfigText, text: string, change: ConfigChange): Settings | undefined {
  try {
    return readSettings({ ...config, text }, change);
  } catch {
    return undefined;
  }
}

/** Returns the entry of a server in a configuration. */
export function findServer(config: ConfigText, { key, server }: Omit<ConfigChange, "entry">): unknown {
  return getOwn(toSettings(readSettings(config, { key })[key]), server);
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
    if (after.length > 0 || Array.isArray(settings[prompts.key])) changed[prompts.key] = after;
  }
  return structuredClone(changed);
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new Error("its prompts are not a list");
}

function changeJson(text: string, change: ConfigChange): string {
  const { key, server, entry, prompts } = change;
  let changed = setJsonMember(text, [key, server], entry);
  if (prompts) {
    const settings = readSettings({ format: "json", file: "", text }, change);
    const { removed, added } = changePrompts(toList(settings[prompts.key]), prompts.added, {
      before: settings[key],
      after: applyChange(settings, change)[key],
    });
    for (const index of removed) changed = removeJsonItem(changed, prompts.key, index);
    for (const prompt of added) changed = appendJsonItem(changed, prompts.key, prompt);
  }
  return changed;
}
