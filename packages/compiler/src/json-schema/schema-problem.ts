import { createRequire } from "node:module";
import { CHECKED_FORMATS, type JsonSchema } from "@tenon/runtime/manifest";

const require = createRequire(import.meta.url);

/** What is wrong with a schema that an author has written; `undefined` when ajv takes it. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  // Few projects bring schemas of their own, and ajv is slow to load.
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const formats = Object.fromEntries([...CHECKED_FORMATS].map((name) => [name, true as const]));
  const ajv = new Ajv2020({ allErrors: true, strict: false, strictNumbers: true, logger: false, formats });
  try {
    ajv.compile(schema as Record<string, unknown>);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
