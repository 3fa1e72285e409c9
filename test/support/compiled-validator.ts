import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Validator } from "@tenon/runtime/server";
import { compiled } from "@tenon/runtime/validation";
// Internal: the validator of any schema, without a project for each.
import { createValidatorCompiler } from "../../packages/compiler/src/emit/validators/validator-code.js";

/** Returns the validator that the compiler writes for a schema. */
export function compiledValidator(schema: JsonSchema): Validator {
  const parameters = ["exports", "check", "equal", "formats", "ucs2length", "uniqueItems", "isMultiple"];
  const code = new Function(...parameters, createValidatorCompiler()(JSON.stringify(schema))) as Parameters<
    typeof compiled
  >[0];
  return compiled(code);
}
