import type { JsonSchema } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { type ArgumentFiles, getFilePath, getWholeFilePath } from "./argument-files.js";

type Arguments = Record<string, unknown>;

/**
 * Parses the arguments of a tool. A value is JSON if the schema allows the type of that JSON, and otherwise text. A dot in a key
 * addresses a member of an object, and a repeated key creates an array. `@path` is replaced with the content of a file, and
 * `@@` escapes text that starts with `@`.
 *
 * @param words `key=value` pairs, or JSON objects that the pairs add to
 * @param inputSchema the schema of the tool
 * @param files the contents of the files in `words`
 * @throws Failure (exit code 2) if a pair or JSON is invalid
 * @example
 * parseArguments(["n=3", "tags=a", "tags=b", "place.city=Oslo"], schema)
 * // { n: 3, tags: ["a", "b"], place: { city: "Oslo" } }
 */
export function parseArguments(
  words: readonly string[],
  inputSchema: JsonSchema,
  files: ArgumentFiles = new Map(),
): Arguments {
  const result = createEmptyObject();
  const seen = new Set<string>();
  const paths: string[][] = [];
  for (const [name, value] of words.filter(containsAllArguments).flatMap((each) => readEntries(each, files)))
    define(result, name, value);
  for (const pair of words.filter((each) => !containsAllArguments(each))) {
    const [key, text] = splitPair(pair);
    const path = splitKey(key, inputSchema);
    const member = paths.find((each) => isInside(each, path));
    if (member !== undefined) throw createOverlapFailure(key, member.join("."));
    paths.push(path);
    const schema = findSchema(inputSchema, path);
    const file = readContent(getFilePath(text), files);
    const value = file ? toFileValue(file, schema, pair) : parseValue(text.replace(/^@@/, "@"), schema);
    setMember(result, path, schema?.type === "array" ? toList(value) : value, seen.has(key));
    seen.add(key);
  }
  return result;
}

/**
 * Parses the arguments of a prompt, which are strings.
 *
 * @throws Failure (exit code 2) if a pair or JSON is invalid
 */
export function parsePromptArguments(
  words: readonly string[],
  files: ArgumentFiles = new Map(),
): Record<string, string> {
  const entries = words.flatMap((word): [name: string, value: unknown][] => {
    if (containsAllArguments(word)) return readEntries(word, files);
    const [name, text] = splitPair(word);
    const file = readContent(getFilePath(text), files);
    return [[name, file ? decodeText(file, word) : text.replace(/^@@/, "@")]];
  });
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** Splits `name=value`. @throws Failure if it is something else */
function splitPair(word: string): [name: string, value: string] {
  const equals = word.indexOf("=");
  if (equals >= 1) return [word.slice(0, equals), word.slice(equals + 1)];
  throw new Failure(`\`${word}\` is not an argument.`, {
    hint: "Use key=value, or pass all arguments as JSON: '{ … }' or @file.",
    exitCode: 2,
  });
}

/** Returns whether an argument contains all arguments: as a JSON object, or a file with one. */
function containsAllArguments(word: string): boolean {
  return word.startsWith("{") || getWholeFilePath(word) !== undefined;
}

function readEntries(word: string, files: ArgumentFiles): [name: string, value: unknown][] {
  const file = readContent(getWholeFilePath(word), files);
  const origin = file ? `The contents of \`${word}\`` : "The arguments";
  const value = parseJson(file ? decodeText(file, word) : word, origin);
  if (isObject(value)) return Object.entries(value);
  throw new Failure(`${origin} are not a JSON object, such as {"name":"Ada"}.`, { exitCode: 2 });
}

function parseJson(json: string, origin: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ");
    throw new Failure(`${origin} are not valid JSON: ${reason}`, { exitCode: 2, cause: error });
  }
}

function readContent(name: string | undefined, files: ArgumentFiles): Buffer | undefined {
  return name === undefined ? undefined : files.get(name);
}

/** Converts the content of a file to base64, a string, or JSON, as the schema requires. */
function toFileValue(content: Buffer, schema: JsonSchema | undefined, word: string): unknown {
  if (findExpectedSchema("", schema)?.contentEncoding === "base64") return content.toString("base64");
  const text = decodeText(content, word);
  const wanted = findExpectedSchema(text, schema);
  const value = parseValue(text, schema);
  if (value !== text || mayBe("string", wanted)) return value;
  return parseJson(text, `This argument requires JSON. The contents of \`${word}\``);
}

/** Decodes UTF-8. @throws Failure if it is invalid */
function decodeText(content: Buffer, word: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    throw new Failure(`The contents of \`${word}\` are not valid UTF-8.`, { exitCode: 2, cause });
  }
}

/** Creates the failure for a pair that another argument contradicts. */
function createOverlapFailure(key: string, other: string): Failure {
  return new Failure(`\`${key}\` would replace the value of \`${other}\`.`, {
    hint: "Set the whole value, or only its members.",
    exitCode: 2,
  });
}

/** Splits a key at dots, unless the schema has a property with that name. */
function splitKey(key: string, schema: JsonSchema): string[] {
  if (schema.properties && Object.hasOwn(schema.properties, key)) return [key];
  const path = key.split(".");
  return path.includes("") ? [key] : path;
}

function findSchema(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const name of path) {
    const members: Record<string, JsonSchema> | undefined = at?.properties;
    at = members && Object.hasOwn(members, name) ? members[name] : undefined;
  }
  return at;
}

function parseValue(text: string, schema: JsonSchema | undefined): unknown {
  const expected = findExpectedSchema(text, schema);
  if (acceptsOnlyStrings(expected)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return mayBe(getType(value), expected) || !mayBe("string", expected) ? value : text;
  } catch {
    return text;
  }
}

/** Returns the schema for a text: of an array, the schema of one item, unless the text is a JSON array. */
function findExpectedSchema(text: string, schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.type === "array" && !text.trimStart().startsWith("[") ? getItemSchema(schema) : schema;
}

function getItemSchema({ items }: JsonSchema): JsonSchema | undefined {
  return typeof items === "object" ? items : undefined;
}

/** Returns whether the schema accepts only strings. */
function acceptsOnlyStrings(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  if (schema.enum) return schema.enum.every((value) => typeof value === "string");
  return schema.type === "string";
}

function getType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns whether the schema may accept a value of this type. */
function mayBe(type: string, schema: JsonSchema | undefined): boolean {
  const alternatives = schema?.anyOf ?? (schema?.oneOf as JsonSchema[] | undefined);
  if (alternatives !== undefined) return alternatives.some((each) => mayBe(type, each));
  if (schema?.enum) return schema.enum.some((value) => getType(value) === type);
  const types: readonly string[] | undefined = schema?.type === undefined ? undefined : [schema.type].flat();
  return types === undefined || types.includes(type) || (type === "number" && types.includes("integer"));
}

function setMember(
  target: Arguments,
  [name = "", ...rest]: readonly string[],
  value: unknown,
  isRepeated: boolean,
  parents: readonly string[] = [],
): void {
  const present = Object.hasOwn(target, name) ? target[name] : undefined;
  if (rest.length > 0) {
    const at = [...parents, name];
    if (present !== undefined && !isObject(present))
      throw createOverlapFailure([...at, ...rest].join("."), at.join("."));
    const inner = present ?? createEmptyObject();
    define(target, name, inner);
    setMember(inner, rest, value, isRepeated, at);
  } else if (isRepeated) {
    define(target, name, [...toList(present), ...toList(value)]);
  } else {
    define(target, name, value);
  }
}

/** Returns whether a path leads to a member of the value at another path. */
function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return path.length > outer.length && outer.every((name, index) => name === path[index]);
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isObject(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Defines a property, even one named `__proto__`. */
function define(target: Arguments, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function createEmptyObject(): Arguments {
  return {};
}
