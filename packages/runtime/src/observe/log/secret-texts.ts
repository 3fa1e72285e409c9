/**
 * The secrets of a call as text, in order to mask what repeats them. Only servers with secrets contain this code.
 * @module
 */
import { parseContainer } from "../../data/conversion/json-in-text.js";
import { isBytes, isScalarValue } from "../../data/conversion/scalar-values.js";
import { hasSecrets, MASK, withoutSecrets } from "../../data/problems/secrets.js";
import type { JsonSchema } from "../../protocol/json-schema.js";

export { createCutReplacement } from "../../data/problems/cut-secrets.js";
export { hasSecrets, MASK, maskNames, withoutSecrets } from "../../data/problems/secrets.js";

/**
 * Returns the values that `withoutSecrets` masks, as text, and the secrets in those that contain an object or a list as
 * JSON, since the handler receives the object.
 *
 * @param data arguments, as the client sent them or as the handler receives them
 */
export function listSecretTexts(root: JsonSchema, data: unknown): string[] {
  if (!hasSecrets(root)) return [];
  return [toText, String].flatMap((toString) => listTexts(root, toJson(data, toString, new Set())));
}

function listTexts(root: JsonSchema, data: unknown): string[] {
  const schemaText = JSON.stringify(root);
  const texts: string[] = [];
  let containsJson = false;
  /** Adds the secrets in a value. @returns the value, with JSON in place of its text */
  const add = (value: unknown, masked: unknown): unknown => {
    if (value === masked || value === undefined || value === null) return value;
    if (typeof value !== "object") {
      texts.push(String(value));
      const json = parseContainer(value);
      containsJson ||= json !== undefined;
      return json ?? value;
    }
    const members = Object.entries(value).map(([name, each]): [string, unknown] => {
      const isDeclared = Array.isArray(value) || schemaText.includes(`${JSON.stringify(name)}:`);
      if (masked === MASK && !isDeclared) texts.push(name);
      return [name, add(each, masked === MASK ? MASK : (masked as Record<string, unknown>)[name])];
    });
    return Array.isArray(value) ? members.map(([, each]) => each) : Object.fromEntries(members);
  };
  const parsed = add(data, withoutSecrets(root, data, []));
  return containsJson ? [...texts, ...listTexts(root, parsed)] : texts;
}

/** Returns the JSON that a handler's arguments represent. A handler may have made them contain themselves. */
function toJson(value: unknown, toString: (value: unknown) => string, seen: Set<unknown>): unknown {
  if (isScalarValue(value)) return toString(value);
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return undefined;
  seen.add(value);
  const convert = (each: unknown): unknown => toJson(each, toString, seen);
  const isRecord = value instanceof Map && [...value.keys()].every((key) => typeof key === "string");
  if (!isRecord && Symbol.iterator in value) return Array.from(value as Iterable<unknown>, convert);
  const members = isRecord ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return Object.fromEntries(members.map(([name, each]) => [name, convert(each)]));
}

/** Returns a value that JSON represents as a string as text. In text, a date may also appear as `String` writes it. */
function toText(value: unknown): string {
  if (isBytes(value)) return new TextDecoder().decode(value);
  return String(value instanceof Date ? value.toJSON() : value);
}
