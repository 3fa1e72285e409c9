/**
 * What the entries of all kinds have in common.
 * @module
 */
import type { Validator } from "../application.js";
import type { ArgumentsPlan, ArgumentsReader } from "../arguments.js";
import type { Features } from "../features.js";
import type { Handler } from "../handlers.js";
import type { JsonSchema } from "../json-schema.js";
import type { Input, Output, PromptEntry, ResourceTemplateEntry, ToolEntry } from "../manifest.js";
import { NO_RESULT, type ResultMembers, structuredResult, textResult } from "../results.js";
import type { Revision } from "../revisions.js";

/** An entry's handler, and whether it is served at the moment. */
export function serve(handler: Handler): { handler: Handler; isEnabled: () => boolean } {
  const { enabled } = handler.options;
  return { handler, isEnabled: enabled === undefined ? always : () => enabled() };
}

/** Stands for the absence of an `enabled` behaviour: what it is given to can never change. */
export function always(): boolean {
  return true;
}

/** Stands for the absence of a conversion: JSON is what the handler declares. */
export function asItIs<T>(value: T): T {
  return value;
}

export function readerOf(input: Input, { conversion }: Features): ArgumentsReader {
  if (input.conversion === undefined) return asItIs;
  if (conversion === undefined) throw missingFeature("conversion");
  return conversion.argumentsReader(input.conversion, input);
}

export function writerOf(output: Output, { conversion }: Features): (value: unknown) => unknown {
  if (output.conversion === undefined) return asItIs;
  if (conversion === undefined) throw missingFeature("conversion");
  return conversion.valueWriter(output.conversion, output);
}

/**
 * What becomes of a tool's value, by what the tool declares to return.
 *
 * @param write turns the value into the JSON that stands for it
 */
export function resultOf(
  { output, definition }: ToolEntry,
  write: (value: unknown) => unknown,
  { content }: Features,
): (value: unknown, revision: Revision) => ResultMembers {
  const { outputSchema } = definition;
  switch (output.kind) {
    case "none":
      return () => NO_RESULT;
    case "text":
      return textResult;
    case "structured":
      return (value, revision) => structuredResult(write(value), outputSchema, revision);
    case "content":
    case "unknown": {
      if (content === undefined) throw missingFeature("content");
      const result = output.kind === "content" ? content.result : content.undeclared;
      return (value, revision) => result(value, outputSchema, revision, write);
    }
  }
}

/** Arguments of prompts and variables of URIs arrive as text. */
export function textPlan(
  entry: PromptEntry | ResourceTemplateEntry,
  validate: Validator,
  noun: "argument" | "variable",
  features: Features,
): ArgumentsPlan {
  return {
    validate,
    schema: entry.input.schema ?? schemaOfNames(entry, noun),
    read: readerOf(entry.input, features),
    allows: entry.input.allows,
    formats: features.formats ?? {},
    noun,
    ignoreUnknown: false,
    emptyIsAbsent: true,
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

export function validatorOf<T>(validators: Record<string, T>, name: string, kind: string): T {
  const found = Object.hasOwn(validators, name) ? validators[name] : undefined;
  if (found === undefined)
    throw new Error(`The ${kind} "${name}" has no validator. Build the project again.`);
  return found;
}

/** The error for a server that was emitted without something that its manifest asks for. */
export function missingFeature(name: keyof Features): Error {
  return new Error(
    `The server needs the feature "${name}", but was made without it. Build the project again.`,
  );
}
