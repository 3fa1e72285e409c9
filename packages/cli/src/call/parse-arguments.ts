import type { JsonSchema } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { isFileObject, toDataUri, toFileObject } from "./file-values.js";
import { acceptsType, acceptsValue, findItemSchema, findMemberSchema, getType } from "./argument-schemas.js";
import { type ArgumentFiles, getFilePath, getWholeFilePath } from "./argument-files.js";

type Arguments = Record<string, unknown>;

/** The schema of one argument, and the schema of all arguments, which it may refer to. */
interface AcceptedValue {
  readonly schema: JsonSchema | undefined;
  readonly root: JsonSchema;
  /** The number of earlier values with the same key. Repeated values form a list. */
  readonly index: number;
}

/**
 * Parses the arguments of a tool. A value is text if the schema allows text, unless it is JSON of another type that the
 * schema also allows; quotes keep it as text. A dot in a key addresses a member of an object, and a repeated key creates an
 * array. `@path` is replaced with the content of a file, and `@@` escapes text that starts with `@`.
 *
 * @param args `key=value` pairs, or JSON objects that the pairs add to
 * @param inputSchema the schema of the tool
 * @param files the contents of the files in `args`
 * @throws Failure (exit code 2) if a pair or JSON is invalid
 * @example
 * parseArguments(["n=3", "tags=a", "tags=b", "place.city=Oslo"], schema)
 * // { n: 3, tags: ["a", "b"], place: { city: "Oslo" } }
 */
export function parseArguments(
  args: readonly string[],
  inputSchema: JsonSchema,
  files: ArgumentFiles = new Map(),
): Arguments {
  const result = createEmptyObject();
  const seen = new Map<string, number>();
  const paths: string[][] = [];
  for (const [name, value] of args.filter(containsAllArguments).flatMap((each) => readEntries(each, files)))
    define(result, name, value);
  for (const pair of args.filter((each) => !containsAllArguments(each))) {
    const [key, text] = splitPair(pair);
    const path = splitKey(key, inputSchema);
    const member = paths.find((each) => isInside(each, path));
    if (member !== undefined) throw createOverlapFailure(key, member.join("."));
    paths.push(path);
    const index = seen.get(key) ?? 0;
    const accepted: AcceptedValue = { schema: findMemberSchema(inputSchema, path), root: inputSchema, index };
    const filePath = getFilePath(text);
    const file = readContent(filePath, files);
    const value = file
      ? toFileValue(file, accepted, pair, filePath ?? "")
      : parseValue(text.replace(/^@@/, "@"), accepted);
    setMember(result, path, acceptsOnlyLists(value, accepted) ? toList(value) : value, index > 0);
    seen.set(key, index + 1);
  }
  return result;
}

/**
 * Parses the arguments of a prompt, which are strings.
 *
 * @throws Failure (exit code 2) if a pair or JSON is invalid
 */
export function parsePromptArguments(
  args: readonly string[],
  files: ArgumentFiles = new Map(),
): Record<string, string> {
  const entries = args.flatMap((arg): [name: string, value: unknown][] => {
    if (containsAllArguments(arg)) return readEntries(arg, files);
    const [name, text] = splitPair(arg);
    const file = readContent(getFilePath(text), files);
    return [[name, file ? decodeText(file, arg) : text.replace(/^@@/, "@")]];
  });
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/**
 * Splits `name=value`.
 *
 * @throws Failure if it is something else
 */
function splitPair(arg: string): [name: string, value: string] {
  const equals = arg.indexOf("=");
  if (equals >= 1) return [arg.slice(0, equals), arg.slice(equals + 1)];
  throw new Failure(`\`${arg}\` is neither key=value nor a JSON object.`, {
    hint: "Use key=value, or pass all arguments as JSON: '{ … }' or @file.",
    exitCode: 2,
  });
}

/** Returns whether an argument contains all arguments: as a JSON object, or a file with one. */
function containsAllArguments(arg: string): boolean {
  return arg.startsWith("{") || getWholeFilePath(arg) !== undefined;
}

function readEntries(arg: string, files: ArgumentFiles): [name: string, value: unknown][] {
  const file = readContent(getWholeFilePath(arg), files);
  const origin = file ? `The contents of \`${arg}\`` : "The arguments";
  const value = parseJson(file ? decodeText(file, arg) : arg, origin);
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

/** Converts the content of a file to a data URI, base64, a string, or JSON, as the schema requires. */
function toFileValue(content: Buffer, accepted: AcceptedValue, arg: string, path: string): unknown {
  const schema = findExpectedSchema("", accepted) ?? {};
  const { contentEncoding, "x-mcp-file": file } = schema;
  if (file !== undefined) return toDataUri(content, path);
  if (isFileObject(schema)) return toFileObject(content, path);
  if (contentEncoding === "base64") return content.toString("base64");
  const text = decodeText(content, arg);
  const value = parseValue(text, accepted);
  if (value !== text || acceptsType("string", findExpectedSchema(text, accepted), accepted.root))
    return value;
  return parseJson(text, `This argument requires JSON. The contents of \`${arg}\``);
}

/**
 * Decodes UTF-8.
 *
 * @throws Failure if it is invalid
 */
function decodeText(content: Buffer, arg: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    throw new Failure(`The contents of \`${arg}\` are not valid UTF-8.`, { exitCode: 2, cause });
  }
}

/** Creates the failure for a pair that conflicts with another argument. */
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

/** Parses a string as JSON if the schema does not accept text, or accepts the JSON value. Other strings stay text. */
function parseValue(text: string, accepted: AcceptedValue): unknown {
  const schema = findExpectedSchema(text, accepted);
  const value = readJson(text);
  const isText = acceptsType("string", schema, accepted.root);
  if (value === undefined || !isText) return value === undefined ? text : value;
  if (typeof value !== "string") return acceptsValue(value, schema, accepted.root) ? value : text;
  // Quotes are part of the text, unless without them it would be parsed as another type.
  const json = readJson(value);
  const isOther = json !== undefined && typeof json !== "string";
  return isOther && acceptsType(getType(json), schema, accepted.root) ? value : text;
}

/** Returns the value of JSON, or undefined for other text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the schema for a string: where a list is expected, the schema of one item, unless the text is a JSON array. */
function findExpectedSchema(text: string, { schema, root, index }: AcceptedValue): JsonSchema | undefined {
  if (schema === undefined || text.trimStart().startsWith("[")) return schema;
  const item = findItemSchema(schema, index, root);
  if (item === undefined || acceptsType("string", schema, root)) return schema;
  const value = readJson(text);
  return value !== undefined && acceptsType(getType(value), schema, root) ? schema : item;
}

/** Returns whether a value must be in a list, since the schema accepts lists and no value of its type. */
function acceptsOnlyLists(value: unknown, { schema, root, index }: AcceptedValue): boolean {
  return (
    schema !== undefined &&
    findItemSchema(schema, index, root) !== undefined &&
    !acceptsType(getType(value), schema, root)
  );
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
