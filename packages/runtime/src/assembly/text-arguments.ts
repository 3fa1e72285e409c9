import type { Validator } from "../validation/validators.js";
import type { PromptEntry, ResourceTemplateEntry } from "../manifest.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { type ArgumentsPlan, withoutEmpty } from "../values/arguments.js";
import { argumentsConverter } from "../values/converters.js";

/** Arguments of prompts and variables of URIs arrive as text. */
export function textPlan(
  entry: PromptEntry | ResourceTemplateEntry,
  validate: Validator,
  noun: "argument" | "variable",
): ArgumentsPlan {
  return {
    validate,
    schema: entry.input.schema ?? schemaOfNames(entry, noun),
    convert: argumentsConverter(entry.input),
    noun,
    tidy: withoutEmpty,
  };
}

/** Only names are known of arguments for which the compiler gave no schema. */
function schemaOfNames(
  entry: PromptEntry | ResourceTemplateEntry,
  noun: "argument" | "variable",
): JsonSchema {
  const definition = entry.definition;
  const names =
    noun === "argument" && "arguments" in definition
      ? (definition.arguments ?? [])
      : entry.handler.parameters.flatMap((each) =>
          each.from === "argument" ? [{ name: each.name, required: true }] : [],
        );
  return {
    type: "object",
    properties: Object.fromEntries(names.map((each) => [each.name, { type: "string" }])),
    required: names.filter((each) => each.required === true).map((each) => each.name),
  };
}
