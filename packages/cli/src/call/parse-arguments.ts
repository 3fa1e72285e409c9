import type { JsonSchema } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { type ArgumentFiles, fileNamed, wholeFileNamed } from "./argument-files.js";

type Arguments = Record<string, unknown>;

/**
 * Reads a tool's arguments from the command line. A value is JSON where it parses as JSON and the tool does
 * not ask for a string; anything else is a string. A dot in a key leads into an object, a key that comes
 * twice makes a list. `@path` is what a file holds, `@@` a text that begins with `@`.
 *
 * @param words `key=value`, as typed, or a JSON object that others add to
 * @param inputSchema of the tool
 * @param files what the words name
 * @throws Failure (exit code 2) when a pair or the JSON cannot be read
 * @example
 * parseArguments(["n=3", "tags=a", "tags=b", "place.city=Oslo"], schema)
 * // { n: 3, tags: ["a", "b"], place: { city: "Oslo" } }
 */
export function parseArguments(
  words: readonly string[],
  inputSchema: JsonSchema,
  files: ArgumentFiles = new Map(),
): Arguments {
  const result = emptyObject();
  const seen = new Set<string>();
  for (const [name, value] of words.filter(isWhole).flatMap((each) => entriesIn(each, files)))
    define(result, name, value);
  for (const pair of words.filter((each) => !isWhole(each))) {
    const [key, text] = splitPair(pair);
    const path = keyPath(key, inputSchema);
    const schema = schemaAt(inputSchema, path);
    const file = contentOf(fileNamed(text), files);
    const value = file ? fileValue(file, schema, pair) : parseValue(text.replace(/^@@/, "@"), schema);
    put(result, path, schema?.type === "array" ? listOf(value) : value, seen.has(key));
    seen.add(key);
  }
  return result;
}

/**
 * Reads a prompt's arguments from the command line. They are texts.
 *
 * @throws Failure (exit code 2) when a word or the JSON cannot be read
 */
export function parsePromptArguments(
  words: readonly string[],
  files: ArgumentFiles = new Map(),
): Record<string, string> {
  const entries = words.flatMap((word): [name: string, value: unknown][] => {
    if (isWhole(word)) return entriesIn(word, files);
    const [name, text] = splitPair(word);
    const file = contentOf(fileNamed(text), files);
    return [[name, file ? textOf(file, word) : text.replace(/^@@/, "@")]];
  });
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** The name and the value in `name=value`. @throws Failure when it is something else */
function splitPair(word: string): [name: string, value: string] {
  const equals = word.indexOf("=");
  if (equals >= 1) return [word.slice(0, equals), word.slice(equals + 1)];
  throw new Failure(`\`${word}\` is not an argument.`, {
    hint: "Write key=value, or give all arguments at once as JSON: '{ … }', or @file.",
    exitCode: 2,
  });
}

/** All arguments at once: an object is the only JSON that they can be. */
function isWhole(word: string): boolean {
  return word.startsWith("{") || wholeFileNamed(word) !== undefined;
}

function entriesIn(word: string, files: ArgumentFiles): [name: string, value: unknown][] {
  const file = contentOf(wholeFileNamed(word), files);
  const origin = file ? `The contents of \`${word}\`` : "The arguments";
  const value = parseJson(file ? textOf(file, word) : word, origin);
  if (isObject(value)) return Object.entries(value);
  throw new Failure(`${origin} are no object in JSON, such as {"name":"Ada"}.`, { exitCode: 2 });
}

function parseJson(json: string, origin: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ");
    throw new Failure(`${origin} are not valid JSON: ${reason}`, { exitCode: 2, cause: error });
  }
}

function contentOf(name: string | undefined, files: ArgumentFiles): Buffer | undefined {
  return name === undefined ? undefined : files.get(name);
}

/** Bytes where bytes are declared, the text itself where a text is, and otherwise JSON. */
function fileValue(content: Buffer, schema: JsonSchema | undefined, word: string): unknown {
  if (wantedOf("", schema)?.contentEncoding === "base64") return content.toString("base64");
  const text = textOf(content, word);
  const wanted = wantedOf(text, schema);
  const value = parseValue(text, schema);
  if (value !== text || mayBeString(wanted)) return value;
  return parseJson(text, `This argument takes JSON. The contents of \`${word}\``);
}

/** @throws Failure for bytes that are none */
function textOf(content: Buffer, word: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    throw new Failure(`The contents of \`${word}\` are no text in UTF-8.`, { exitCode: 2, cause });
  }
}

/** An argument whose own name has a dot in it is meant as it stands. */
function keyPath(key: string, schema: JsonSchema): string[] {
  if (schema.properties && Object.hasOwn(schema.properties, key)) return [key];
  const path = key.split(".");
  return path.includes("") ? [key] : path;
}

function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const name of path) {
    const members: Record<string, JsonSchema> | undefined = at?.properties;
    at = members && Object.hasOwn(members, name) ? members[name] : undefined;
  }
  return at;
}

function parseValue(text: string, schema: JsonSchema | undefined): unknown {
  if (wantsString(wantedOf(text, schema))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a text is read as: of a list, one item, unless it is the list. */
function wantedOf(text: string, schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.type === "array" && !text.trimStart().startsWith("[") ? itemsOf(schema) : schema;
}

function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return typeof items === "object" ? items : undefined;
}

/** True when text is what the schema asks for and nothing else would do. */
function wantsString(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  if (schema.enum) return schema.enum.every((value) => typeof value === "string");
  return schema.type === "string";
}

/** True unless the schema says that no text fits. */
function mayBeString(schema: JsonSchema | undefined): boolean {
  if (schema?.enum) return schema.enum.some((value) => typeof value === "string");
  return schema?.type === undefined || [schema.type].flat().includes("string");
}

function put(target: Arguments, path: readonly string[], value: unknown, again: boolean): void {
  const [name = "", ...rest] = path;
  const present = Object.hasOwn(target, name) ? target[name] : undefined;
  if (rest.length > 0) {
    const inner = isObject(present) ? present : emptyObject();
    define(target, name, inner);
    put(inner, rest, value, again);
  } else if (again) {
    define(target, name, [...listOf(present), ...listOf(value)]);
  } else {
    define(target, name, value);
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isObject(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `__proto__` is a name like any other. */
function define(target: Arguments, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function emptyObject(): Arguments {
  return {};
}
