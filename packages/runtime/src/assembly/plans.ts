/**
 * What the entries of all kinds have in common.
 * @module
 */
import type { Validator } from "./application.js";
import { type ArgumentsPlan, type ArgumentsReader, withoutEmpty } from "../values/arguments.js";
import { invalidParams } from "../api/errors.js";
import type { Vocabulary } from "../explain/vocabulary.js";
import type { Features } from "../features.js";
import type { Handler } from "./handlers.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { Input, Output, PromptEntry, ResourceTemplateEntry, ToolEntry } from "../manifest.js";
import { nearestName } from "../explain/nearest-name.js";
import { NO_RESULT, type ResultMembers, structuredResult, textResult } from "../results/result-members.js";
import type { Revision } from "../protocol/revisions.js";

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

export function readerOf(input: Input, features: Features): ArgumentsReader {
  const { conversion } = input;
  return conversion === undefined
    ? asItIs
    : needed(features, "conversion").argumentsReader(conversion, input);
}

export function writerOf(output: Output, features: Features): (value: unknown) => unknown {
  const { conversion } = output;
  return conversion === undefined ? asItIs : needed(features, "conversion").valueWriter(conversion, output);
}

/**
 * What becomes of a tool's value, by what the tool declares to return.
 *
 * @param write turns the value into the JSON that stands for it
 */
export function resultOf(
  { output: { kind }, definition: { outputSchema } }: ToolEntry,
  write: (value: unknown) => unknown,
  features: Features,
): (value: unknown, revision: Revision) => ResultMembers {
  switch (kind) {
    case "none":
      return () => NO_RESULT;
    case "text":
      return textResult;
    case "structured":
      return (value, revision) => structuredResult(write(value), outputSchema, revision);
    case "content":
    case "unknown": {
      const content = needed(features, "content");
      const result = kind === "content" ? content.result : content.undeclared;
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
  vocabulary: Vocabulary,
): ArgumentsPlan {
  return {
    validate,
    schema: entry.input.schema ?? schemaOfNames(entry, noun),
    read: readerOf(entry.input, features),
    allows: entry.input.allows,
    vocabulary,
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

export function validatorOf<T>(validators: Record<string, T>, name: string, kind: string): T {
  const found = ownMember(validators, name);
  if (found === undefined) throw outdated(`The ${kind} "${name}" has no validator.`);
  return found;
}

/** A member, unless it is inherited. */
export function ownMember<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** @throws Error when the server was emitted without something that its manifest asks for */
export function needed<Name extends keyof Features>(
  features: Features,
  name: Name,
): NonNullable<Features[Name]> {
  const feature = features[name];
  if (feature === undefined)
    throw outdated(`The server needs the feature "${name}", but was made without it.`);
  return feature;
}

/** The error for parts of a server that do not belong together. */
export function outdated(problem: string): Error {
  return new Error(`${problem} Build the project again.`);
}

/**
 * The tool or prompt of that name.
 *
 * @throws ProtocolError when there is none, with the nearest name that there is
 */
export function findServed<Served extends { isEnabled: () => boolean }>(
  all: ReadonlyMap<string, Served>,
  noun: "prompt" | "tool",
  name: unknown,
): Served {
  if (typeof name !== "string") throw invalidParams(`\`name\` must be the name of a ${noun}.`);
  const found = all.get(name);
  if (found?.isEnabled() === true) return found;
  const enabled = [...all].flatMap(([each, { isEnabled }]) => (isEnabled() ? each : []));
  const nearest = nearestName(name, enabled);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw invalidParams(`Unknown ${noun} "${name.slice(0, 128)}".${hint}`);
}
