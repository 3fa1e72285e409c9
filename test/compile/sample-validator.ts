import { formats } from "@tenon/runtime/validation";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";

/** One instance for all schemas, since it compiles the meta-schema, which takes longer than most schemas. */
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  allowUnionTypes: true,
  // A named member may match an index signature, which then applies to it too.
  allowMatchingProperties: true,
  // `constructor` and `toString` are names like any other.
  ownProperties: true,
  formats,
  keywords: ["x-mcp-file"],
});

/** Creates the validator of a schema. Fails for keywords that are unknown or misplaced. */
export function createValidator(schema: JsonSchema): (value: unknown) => boolean {
  const validate = ajv.compile(schema as AnySchemaObject);
  return (value) => validate(value) as boolean;
}
