import { createRequire } from "node:module";
import { CHECKED_FORMATS, type JsonSchema } from "@tenon/runtime/manifest";
import { isKnownValid } from "./known-validity.js";

const require = createRequire(import.meta.url);

/** Returns the reason why a schema is not valid JSON Schema 2020-12, or undefined if it is valid. */
export function findSchemaProblem(schema: JsonSchema): string | undefined {
  if (isKnownValid(schema)) return undefined;
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const formats = Object.fromEntries([...CHECKED_FORMATS].map((name) => [name, true as const]));
  const ajv = new Ajv2020({ allErrors: true, strict: false, strictNumbers: true, logger: false, formats });
  try {
    ajv.compile(schema as Record<string, unknown>);
    return undefined;
  } catch (error) {
    // The messages that use the result begin in the same way as Ajv's.
    return (error instanceof Error ? error.message : String(error)).replace(/^schema is invalid: /, "");
  }
}
