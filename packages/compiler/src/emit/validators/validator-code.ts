import standalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { createAjv } from "./create-ajv.js";
import { addDefinitions } from "./references.js";

/** What ajv's code asks for by `require`, and what the runtime has for it. */
const LIBRARY = [
  ['require("ajv/dist/runtime/equal").default', "equal"],
  ['require("ajv/dist/runtime/ucs2length").default', "ucs2length"],
] as const;

/**
 * Compiles one schema, which is known to be valid, to the body of a function for `compiled` of
 * `@tenon/runtime/validation`. The same schema gives the same text, whatever was compiled before it.
 */
export function validatorCode(schema: JsonSchema): string {
  const ajv = createAjv(JSON.stringify(schema));
  const names = addDefinitions(ajv, schema);
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  // In a string of the schema, its quotes would be escaped.
  const own = LIBRARY.reduce((text, [call, name]) => text.replaceAll(call, name), code);
  return withoutUnreadSchemas(own.replace('"use strict";', ""));
}

/** ajv keeps every schema that it has compiled beside its code, which reads hardly any of them. */
function withoutUnreadSchemas(code: string): string {
  return [...code.matchAll(/const (schema\d+) = (?=\{)/g)]
    .toReversed()
    .reduce((text, { 0: start, 1: name, index }) => {
      const isRead = text.match(new RegExp(`\\b${name}\\b`, "g"))?.length !== 1;
      const end = isRead ? -1 : endOfObject(text, index + start.length);
      return end === -1 || text[end] !== ";" ? text : text.slice(0, index) + text.slice(end + 1);
    }, code);
}

/** Where the JSON object that begins at an index is over. */
function endOfObject(text: string, begin: number): number {
  let depth = 0;
  for (const token of text.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += token[0] === "{" ? 1 : token[0] === "}" ? -1 : 0;
    if (depth === 0) return begin + token.index + 1;
  }
  return -1;
}
