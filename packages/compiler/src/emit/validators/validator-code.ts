import type { JsonSchema } from "@tenon/runtime/manifest";
import { createAcceptingCompiler } from "./boolean-validator.js";
import { isExplained } from "./explainable-keywords.js";
import { reportingValidator } from "./reporting-validator.js";

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
  return standAlone(accepting ?? reportingValidator(schema));
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
  for (const name of ["remembered", "rememberedReports"]) {
    if (new RegExp(`^const (?:wrapper|root)\\d+ = \\{validate: ${name}\\(`, "m").test(code))
      imports.add(name);
  }
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
