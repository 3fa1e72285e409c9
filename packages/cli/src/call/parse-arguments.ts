import type { JsonSchema } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";

type Arguments = Record<string, unknown>;

/**
 * Reads a tool's arguments from the command line. A value is JSON where it parses as JSON and the tool does
 * not ask for a string; anything else is a string. A dot in a key leads into an object, a key that comes
 * twice makes a list.
 *
 * @param words `key=value`, as typed, or a JSON object that others add to
 * @param inputSchema of the tool
 * @throws Failure (exit code 2) when a pair or the JSON cannot be read
 * @example
 * parseArguments(["n=3", "tags=a", "tags=b", "place.city=Oslo"], schema)
 * // { n: 3, tags: ["a", "b"], place: { city: "Oslo" } }
 */
export function parseArguments(words: readonly string[], inputSchema: JsonSchema): Arguments {
  const result = emptyObject();
  const seen = new Set<string>();
  for (const [name, value] of words.filter(isJson).flatMap((each) => Object.entries(parseObject(each))))
    define(result, name, value);
  for (const pair of words.filter((each) => !isJson(each))) {
    const [key, text] = splitPair(pair);
    const path = keyPath(key, inputSchema);
    const schema = schemaAt(inputSchema, path);
    const value = parseValue(text, schema);
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
export function parsePromptArguments(words: readonly string[]): Record<string, string> {
  const entries = words.flatMap((word) =>
    isJson(word) ? Object.entries(parseObject(word)) : [splitPair(word)],
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** The name and the value in `name=value`. @throws Failure when it is something else */
function splitPair(word: string): [name: string, value: string] {
  const equals = word.indexOf("=");
  if (equals >= 1) return [word.slice(0, equals), word.slice(equals + 1)];
  throw new Failure(`\`${word}\` is not an argument.`, {
    hint: "Write key=value, or give all arguments at once as JSON: '{ … }'.",
    exitCode: 2,
  });
}

/** An object is the only JSON that can be arguments. */
function isJson(word: string): boolean {
  return word.startsWith("{");
}

function parseObject(json: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`The arguments are not valid JSON: ${reason}`, { exitCode: 2, cause: error });
  }
  return value as Arguments;
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
  const wanted = schema?.type === "array" && !text.trimStart().startsWith("[") ? itemsOf(schema) : schema;
  if (wantsString(wanted)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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
