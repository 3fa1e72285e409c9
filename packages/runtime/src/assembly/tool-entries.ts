import type { Application } from "./application.js";
import type { ServedTool } from "./entries.js";
import type { ToolEntry } from "../manifest.js";
import type { Revision } from "../protocol/revisions.js";
import {
  contentResult,
  mixedResult,
  NO_CONTENT,
  structuredResult,
  textResult,
  undeclaredResult,
} from "../results/tool-result.js";
import type { ToolResult } from "../protocol/specification.js";
import { withoutUnknown } from "../values/arguments.js";
import { argumentsConverter, resultConverter } from "../values/converters.js";
import type { HandlerResolver } from "./handlers.js";
import { validatorOf } from "./lookup.js";
import type { Settings } from "./settings.js";

/** @throws Error when manifest, classes and validators do not belong together. */
export function createToolEntries(
  { manifest, validators }: Application,
  { resolve }: HandlerResolver,
  { unknownArguments }: Settings,
): Map<string, ServedTool> {
  return new Map(
    manifest.tools.map((entry): [string, ServedTool] => {
      const { definition, input, output } = entry;
      const { name, inputSchema } = definition;
      const toJson = resultConverter(output);
      const served: ServedTool = {
        entry,
        handler: resolve(entry.handler),
        arguments: {
          validate: validatorOf(validators.tools, name, "tool").input,
          schema: input.schema ?? inputSchema,
          convert: argumentsConverter(input),
          noun: "argument",
          tidy: (entry.unknownArguments ?? unknownArguments) === "ignore" ? withoutUnknown : undefined,
        },
        toJson,
        result: resultOf(entry, toJson),
      };
      return [name, served];
    }),
  );
}

/** How a tool's value becomes the members of its result, by what the tool declares to return. */
function resultOf(
  { output: { kind }, definition: { outputSchema } }: ToolEntry,
  toJson: (value: unknown) => unknown,
): (value: unknown, revision: Revision) => ToolResult {
  switch (kind) {
    case "none":
      return () => NO_CONTENT;
    case "text":
      return textResult;
    case "structured":
      return (value, revision) => structuredResult(toJson(value), outputSchema, revision);
    case "content":
      return (value, revision) => contentResult(value, outputSchema, revision, toJson);
    case "mixed":
      return (value, revision) => mixedResult(value, outputSchema, revision, toJson);
    case "unknown":
      return (value, revision) => undeclaredResult(value, outputSchema, revision, toJson);
  }
}
