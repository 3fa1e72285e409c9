import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { inlined, schemaChanges } from "../../contract/schema-changes.js";
import { typeText } from "../../inspect/type-text.js";

/** One line of what is different, for whoever made the edit. */
export interface Detail {
  sign: "+" | "-" | "~";
  text: string;
}

/**
 * In what two schemas differ, member by member, in the words that `tenon inspect` has for types.
 *
 * @param name of the value: empty for arguments, whose members stand for themselves
 * @example
 * schemaDiff({ properties: { n: { type: "string" } } }, { properties: { n: { type: "number" } } }, "")
 * // [{ sign: "~", text: "n?: string → number" }]
 */
export function schemaDiff(
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
  name: string,
): Detail[] {
  return compare(inlined(before), inlined(after), name);
}

type Schema = JsonSchema | boolean | undefined;

function compare(before: Schema, after: Schema, name: string): Detail[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ sign: "+", text: `${name}: ${typeText(after)}` }];
  if (after === undefined) return [{ sign: "-", text: name }];
  if (isObject(before) && isObject(after)) {
    const found = memberDetails(before, after, name);
    return found.length > 0 ? found : wording(before, after, name);
  }
  const [was, is] = [typeText(before), typeText(after)];
  return was === is ? wording(before, after, name) : [{ sign: "~", text: `${name}: ${was} → ${is}` }];
}

function memberDetails(before: JsonSchema, after: JsonSchema, name: string): Detail[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((member): Detail[] => {
    const path = name === "" ? member : `${name}.${member}`;
    const [needed, needs] = [isRequired(before, member), isRequired(after, member)];
    const marked = `${path}${needs ? "" : "?"}`;
    if (!Object.hasOwn(old, member)) return [{ sign: "+", text: `${marked}: ${typeText(now[member])}` }];
    if (!Object.hasOwn(now, member)) return [{ sign: "-", text: path }];
    const found = compare(old[member], now[member], isObject(now[member]) ? path : marked);
    if (needed === needs) return found;
    return [...found, { sign: "~", text: `${path} ${needs ? "is required now" : "may be left out now"}` }];
  });
}

/** What is said of the same type. */
function wording(before: Schema, after: Schema, name: string): Detail[] {
  const subject = name === "" ? "arguments" : name;
  const messages = new Set(
    schemaChanges(before, after).map(({ path, message }) => `${path} ${message}`.trim()),
  );
  const all = messages.size > 0 ? [...messages] : ["changed"];
  return all.map((message) => ({ sign: "~", text: `${subject} ${message}` }));
}

function isRequired({ required }: JsonSchema, name: string): boolean {
  return required?.includes(name) ?? false;
}

function isObject(schema: Schema): schema is JsonSchema {
  return typeof schema === "object" && schema.properties !== undefined;
}
