import type { AnySchemaObject } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { createAcceptingCompiler } from "./accepting-validator.js";
import { createAjv } from "./create-ajv.js";
import { isExplained } from "./explained.js";

/** The validator of one schema, in JavaScript that stands on its own but for what it imports. */
export interface ValidatorCode {
  /** The body of a function that returns the validator. */
  body: string;
  /** What it uses of `@tenon/runtime/validation`. */
  imports: readonly string[];
}

/** What generated validators may call, by the name ajv asks for it: the runtime has its own small versions. */
const IMPORTS: Record<string, string> = {
  'require("ajv/dist/runtime/ucs2length").default': "ucs2length",
  'require("ajv/dist/runtime/equal").default': "equal",
};

/** Keywords whose failure the runtime puts into words of its own. */
const WORDED = new Set(
  (
    "type enum const anyOf oneOf if minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength " +
    "maxLength pattern format minItems maxItems items uniqueItems minProperties maxProperties required " +
    "dependentRequired additionalProperties unevaluatedProperties"
  ).split(" "),
);

/**
 * Compiles one schema, which is known to be valid. The same text in gives the same text out, whatever was
 * compiled before it.
 *
 * The validator of most schemas only says yes or no, and the runtime finds the problems of what it refuses; one
 * with keywords that the runtime does not know reports every problem itself.
 *
 * @param compile for the former; making one takes longer than using it
 */
export function validatorCode(schemaText: string, compile = createAcceptingCompiler()): ValidatorCode {
  // An author's `$id` would only stand in the way of references from the root.
  const { $id: _id, ...schema } = JSON.parse(schemaText) as JsonSchema;
  const accepting = isExplained(schema) ? compile(schema) : undefined;
  return standAlone(accepting ?? explainingValidator(schema, schemaText));
}

function explainingValidator(schema: JsonSchema, schemaText: string): string {
  const compiled = (messages: boolean): string => {
    // Only a schema of schemas refers to those that ajv brings along, and they cost more than most.
    const meta = schemaText.includes("json-schema.org");
    const ajv = createAjv({ messages, meta, validateSchema: false });
    // Costs a line or two in each function, for nothing where no keyword asks what others have evaluated.
    ajv.opts.unevaluated = schemaText.includes('"unevaluated');
    return standalone.default(ajv, ajv.compile(schema as AnySchemaObject));
  };
  const code = compiled(false);
  const keywords = [...code.matchAll(/\bkeyword:"([^"]+)"/g)];
  return keywords.every(([, keyword = ""]) => WORDED.has(keyword)) ? code : compiled(true);
}

function standAlone(generated: string): ValidatorCode {
  const imports = new Set<string>();
  // As a name like any other: in a literal it would set the prototype. No string holds this text, but escaped.
  let code = generated.replaceAll('"__proto__":', '["__proto__"]:');
  for (const [call, name] of Object.entries(IMPORTS)) {
    if (!code.includes(call)) continue;
    code = code.replaceAll(call, name);
    imports.add(name);
  }
  if (/^const \w+ = formats\b/m.test(code)) imports.add("formats");
  for (const name of ["ucs2length", "uniqueItems"]) {
    if (new RegExp(`^const \\w+ = ${name};$`, "m").test(code)) imports.add(name);
  }
  if (/^const wrapper\d+ = \{validate: remembered\(/m.test(code)) imports.add("remembered");
  const name = /^export default (\w+);$/m.exec(code)?.[1];
  if (!name) throw new TypeError("ajv wrote a module without a validator.");
  const body = withoutUnusedSchemas(code.replace('"use strict";', "").replaceAll(/^export .*\n/gm, ""));
  // Many times in each function: `(vErrors ??= []).push(…)` says the same in a third of the text.
  const shortened = body.replaceAll(
    /^const (err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/gm,
    "(vErrors ??= []).push($2);\n",
  );
  return {
    body: `${shortened.trim()}\nreturn ${name};`,
    imports: [...imports].sort(),
  };
}

/** ajv keeps each schema it has compiled at hand, though only some keywords look at it again. */
function withoutUnusedSchemas(code: string): string {
  return code.replaceAll(/^const (schema\d+) = .*;\n/gm, (line, name: string) =>
    new RegExp(`(?<!^const )\\b${name}\\b`, "m").test(code) ? line : "",
  );
}
