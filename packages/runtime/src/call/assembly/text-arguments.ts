import type { PromptEntry, ResourceTemplateEntry } from "../../manifest.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { ArgumentsPlan } from "../../data/conversion/arguments.js";
import type { Converters } from "../../data/conversion/converters.js";
import type { DeclaredValidators } from "../application/validation.js";

/** Creates the plan for reading arguments of prompts or variables of URIs, which arrive as text. */
export function createTextPlan(
  entry: PromptEntry | ResourceTemplateEntry,
  validators: DeclaredValidators,
  { createArgumentsConverter }: Converters,
  noun: "argument" | "variable",
): ArgumentsPlan {
  return {
    validators,
    schema: entry.input.schema ?? createSchemaFromNames(entry, noun),
    convert: createArgumentsConverter(entry.input),
    noun,
    ignoresEmpty: true,
  };
}

/** Creates a schema from the names of the arguments, for a manifest without one. */
function createSchemaFromNames(
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
