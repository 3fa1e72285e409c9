import type { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { createAjv, readAjvSettings } from "./create-ajv.js";
import { createDefinitionCompiler, isSelfContained, type DefinitionCompiler } from "./references.js";

/** Calls to `require` in ajv's code, each with the function of the runtime that replaces it. */
const LIBRARY = [
  ['require("ajv/dist/runtime/equal").default', "equal"],
  ['require("ajv/dist/runtime/ucs2length").default', "ucs2length"],
] as const;

/**
 * Creates a function that compiles a valid schema, given as JSON, to a function body for `compiled` of
 * `@tenon/runtime/validation`. The body depends only on the schema.
 *
 * @example
 * const compile = createValidatorCompiler();
 * compile('{"type":"string"}') // "exports.root = validate…"
 */
export function createValidatorCompiler(): (schema: string) => string {
  /** Compilers by their settings, because creating ajv for each schema adds 6% to the processor time of a build of 500 tools. */
  const compilers = new Map<string, DefinitionCompiler>();
  return (text) => {
    const schema = JSON.parse(text) as JsonSchema;
    const settings = readAjvSettings(text);
    if (!isSelfContained(schema, text)) {
      const ajv = createAjv(settings);
      ajv.addSchema(schema, "root");
      return toFunctionBody(ajv, ["root"]);
    }
    const key = JSON.stringify(settings);
    const compiler = compilers.get(key) ?? createDefinitionCompiler(createAjv(settings));
    compilers.set(key, compiler);
    return toFunctionBody(compiler.ajv, compiler.compile(schema));
  };
}

/** Returns the code of compiled schemas, which are exported under their names. */
function toFunctionBody(ajv: Ajv2020, names: readonly string[]): string {
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  // This cannot match a string in the schema, whose quotes are escaped.
  const withLibrary = LIBRARY.reduce((text, [call, name]) => text.replaceAll(call, name), code);
  return withoutUnreadSchemas(withLibrary.replace('"use strict";', ""));
}

/** Removes schemas that the code does not read. ajv emits every schema that it has compiled. */
function withoutUnreadSchemas(code: string): string {
  return [...code.matchAll(/const (schema\d+) = (?=\{)/g)]
    .toReversed()
    .reduce((text, { 0: start, 1: name, index }) => {
      const isRead = text.match(new RegExp(`\\b${name}\\b`, "g"))?.length !== 1;
      const end = isRead ? -1 : findObjectEnd(text, index + start.length);
      return end === -1 || text[end] !== ";" ? text : text.slice(0, index) + text.slice(end + 1);
    }, code);
}

/** Returns the end of the JSON object that begins at an index; -1 if it does not end. */
function findObjectEnd(text: string, begin: number): number {
  let depth = 0;
  for (const token of text.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += token[0] === "{" ? 1 : token[0] === "}" ? -1 : 0;
    if (depth === 0) return begin + token.index + 1;
  }
  return -1;
}
