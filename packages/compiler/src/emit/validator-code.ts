import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import { _ } from "ajv/dist/compile/codegen/index.js";
import standalone from "ajv/dist/standalone/index.js";
import { CHECKED_FORMATS, type JsonSchema } from "@tenon/runtime/manifest";

/** The validator of one schema, in JavaScript that stands on its own but for what it imports. */
export interface ValidatorCode {
  /** Evaluates to the function. All names inside are its own. */
  expression: string;
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
 */
export function validatorCode(schemaText: string): ValidatorCode {
  const code = standaloneCode(schemaText, false);
  const keywords = [...code.matchAll(/\bkeyword:"([^"]+)"/g)];
  const body = keywords.every(([, keyword = ""]) => WORDED.has(keyword))
    ? code
    : standaloneCode(schemaText, true);
  return standAlone(body);
}

/** Compiling one schema alone tells whether it is a schema at all: escape-hatch schemas come from the author. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    createAjv({}).compile(schema as AnySchemaObject);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function standaloneCode(schemaText: string, messages: boolean): string {
  // Only a schema of schemas refers to those that ajv brings along, and they cost more than most.
  const meta = schemaText.includes("json-schema.org");
  const ajv = createAjv({ messages, meta, validateSchema: false });
  // Costs a line or two in each function, for nothing where no keyword asks what others have evaluated.
  ajv.opts.unevaluated = schemaText.includes('"unevaluated');
  // An author's `$id` would only stand in the way of references from the root.
  const { $id: _id, ...schema } = JSON.parse(schemaText) as JsonSchema;
  return standalone.default(ajv, ajv.compile(schema as AnySchemaObject));
}

function standAlone(generated: string): ValidatorCode {
  const imports = new Set<string>();
  let code = generated;
  for (const [call, name] of Object.entries(IMPORTS)) {
    if (!code.includes(call)) continue;
    code = code.replaceAll(call, name);
    imports.add(name);
  }
  if (/^const \w+ = formats\b/m.test(code)) imports.add("formats");
  if (/^const \w+ = uniqueItems;$/m.test(code)) imports.add("uniqueItems");
  const name = /^export default (\w+);$/m.exec(code)?.[1];
  if (!name) throw new TypeError("ajv wrote a module without a validator.");
  const body = withoutUnusedSchemas(code.replace('"use strict";', "").replaceAll(/^export .*\n/gm, ""));
  // Many times in each function: `(vErrors ??= []).push(…)` says the same in a third of the text.
  const shortened = body.replaceAll(
    /^const (err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/gm,
    "(vErrors ??= []).push($2);\n",
  );
  return {
    expression: `/* @__PURE__ */ (() => {\n${shortened.trim()}\nreturn ${name};\n})()`,
    imports: [...imports].sort(),
  };
}

/** ajv keeps each schema it has compiled at hand, though only some keywords look at it again. */
function withoutUnusedSchemas(code: string): string {
  return code.replaceAll(/^const (schema\d+) = .*;\n/gm, (line, name: string) =>
    new RegExp(`(?<!^const )\\b${name}\\b`, "m").test(code) ? line : "",
  );
}

interface AjvChoices {
  messages?: boolean;
  meta?: boolean;
  validateSchema?: boolean;
}

function createAjv(choices: AjvChoices): Ajv2020 {
  const ajv = new Ajv2020({
    ...choices,
    allErrors: true,
    strict: false,
    // A required `constructor` is not satisfied by the one that every object inherits.
    ownProperties: true,
    useDefaults: true,
    logger: false,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  // ajv compares each item with each; the runtime's own takes one look at each.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not hold the same item twice" },
    code: (context) => {
      if (context.schema !== true) return;
      const check = context.gen.scopeValue("func", { ref: areUnique, code: _`uniqueItems` });
      context.fail(_`!${check}(${context.data})`);
    },
  });
  // The real checks run in the server; here a format only has to be known by name.
  for (const name of CHECKED_FORMATS) ajv.addFormat(name, { type: "string", validate: () => true });
  return ajv;
}

/** For schemas of schemas, which are checked here; in the server, the runtime's own function takes its place. */
function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}
