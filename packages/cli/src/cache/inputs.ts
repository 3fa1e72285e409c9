import { hash } from "node:crypto";
import fs, { type Dirent } from "node:fs";
import { basename, join } from "node:path";
import { OWN_FOLDER } from "../files/own-folder.js";

/**
 * The property of a path that a compilation depends on: the content of a file, the kind and size of a file or folder, the names
 * in a folder or in all folders below it, or the target of links.
 */
export type Property = "content" | "kind" | "names" | "tree" | "target";

/** A property of a path, and the value that it had. */
export type Input = readonly [property: Property, path: string, value: string];

const MISSING = "missing";

/** Node's own functions, which `recordInputs` temporarily replaces in `fs`. */
const { lstatSync, readdirSync, readFileSync, realpathSync, statSync } = fs;
const { native: realpath } = realpathSync;

/**
 * Returns the current value of a property, as a short string. A path that does not exist also has a value, because
 * it may be created.
 *
 * @example
 * readProperty("kind", "/notes/src") // "folder"
 */
export function readProperty(property: Property, path: string): string {
  try {
    return READERS[property](path);
  } catch (error) {
    return `${MISSING} ${(error as NodeJS.ErrnoException).code ?? ""}`;
  }
}

/** Returns the value of the property `content` of a file with these bytes. */
export function describeContent(path: string, bytes: Uint8Array): string {
  const content = hashContent(bytes);
  // A link may later point to an equal file in another folder, whose relative imports lead elsewhere.
  const target = realpath(path);
  return target === path ? content : `${content} ${target}`;
}

/** An input whose value has changed. */
export interface ChangedInput {
  property: Property;
  path: string;
  before: string;
  now: string;
}

/** Yields the inputs whose current values differ, in the given order. */
export function* findChangedInputs(inputs: readonly Input[]): Generator<ChangedInput> {
  for (const [property, path, before] of inputs) {
    const now = readProperty(property, path);
    if (now !== before) yield { property, path, before, now };
  }
}

/** Removes duplicates. Returns undefined if an input occurs with two different values. */
export function mergeInputs(inputs: readonly Input[]): Input[] | undefined {
  const found = new Map<string, Input>();
  for (const input of inputs) {
    const key = getInputKey(input);
    if ((found.get(key) ?? input)[2] !== input[2]) return undefined;
    found.set(key, input);
  }
  return [...found.values()];
}

/** Returns a string that identifies a property of a path. */
export function getInputKey([property, path]: Input): string {
  return `${property} ${path}`;
}

/** Returns whether a value describes a path that does not exist. */
export function isMissing(value: string): boolean {
  return value.startsWith(MISSING);
}

/** Returns whether the value of a property `content` was read through a symbolic link. */
export function isLinked(value: string): boolean {
  return value.includes(" ") && !isMissing(value);
}

const READERS: Readonly<Record<Property, (path: string) => string>> = {
  content: (path) => describeContent(path, readFileSync(path)),
  kind(path) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return MISSING;
    return stats.isFile() ? `file of ${stats.size}` : stats.isDirectory() ? "folder" : "other";
  },
  names: (path) => hashContent(listNames(path).join("\n")),
  tree: (path) => hashContent(listTree(path).join("\n")),
  target: (path) => `${lstatSync(path).isSymbolicLink() ? "link to " : ""}${realpath(path)}`,
};

/** Returns the hash of a string or of bytes, as a short string. */
export function hashContent(content: string | Uint8Array): string {
  return hash("sha256", content, "base64url");
}

function listEntries(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== OWN_FOLDER);
}

/**
 * Lists the names in a folder. In `node_modules`, names with a leading dot are not packages: tools such as Vite
 * create their own folders there. `listInstallationInputs` reads the files of package managers.
 */
function listNames(folder: string): string[] {
  const isInstalled = basename(folder) === "node_modules";
  return listEntries(folder)
    .filter(({ name }) => !isInstalled || !name.startsWith("."))
    .map((entry) => `${entry.name}${entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : ""}`)
    .sort();
}

function listTree(folder: string): string[] {
  return listEntries(folder)
    .flatMap((entry) =>
      entry.isDirectory()
        ? listTree(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
        : [entry.name],
    )
    .sort();
}
