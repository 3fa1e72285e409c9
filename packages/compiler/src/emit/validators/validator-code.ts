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
  return LIBRARY.reduce((text, [call, name]) => text.replaceAll(call, name), code);
}
