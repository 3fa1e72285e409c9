import { TOOL_RULE } from "../../data/options/decorator-rules.js";
import { checkDecoratorOptions } from "./decorator-options.js";
import type { EntrySource, ServedTool } from "./entries.js";
import type { ToolEntry } from "../../manifest.js";
import { createDataWriter } from "../../data/results/data-writer.js";
import { allowsAnyDepth } from "../../data/results/nesting.js";
import { createResultBuilder, type DataPlan, toReplacedResult } from "../../data/results/tool-result.js";
import type { Converters } from "../../data/conversion/converters.js";
import type { DeclaredValidators } from "../application/validation.js";

/**
 * Creates the entries of tools.
 *
 * @throws Error if the manifest, classes, and validators do not belong to the same build
 * @throws TypeError for an invalid option of a decorator
 */
export function createToolEntries({
  application: { manifest },
  settings: { unknownArguments },
  resolve,
  converters,
  validation,
  cursors,
}: EntrySource): Map<string, ServedTool> {
  return new Map(
    manifest.tools.map((entry): [string, ServedTool] => {
      const { definition, input } = entry;
      const { name, inputSchema } = definition;
      const validators = validation.find("tools", name);
      const cursor = entry.handler.parameters.find((each) => each.from === "cursor");
      const served: ServedTool = {
        entry,
        handler: resolve(entry.handler, { kind: "tool" }),
        arguments: {
          validators,
          schema: input.schema ?? inputSchema,
          convert: converters.createArgumentsConverter(input),
          noun: "argument",
          ignoresUnknown: (entry.unknownArguments ?? unknownArguments) === "ignore",
        },
        checkPage: cursor && cursors?.createToolPageCheck(cursor, name),
        ...createResults(entry, validators, converters),
      };
      checkDecoratorOptions(served, TOOL_RULE, `tool "${name}"`);
      return [name, served];
    }),
  );
}

/** Returns the functions that build results, depending on the declared return type. */
function createResults(
  { output, definition }: ToolEntry,
  validators: DeclaredValidators,
  converters: Converters,
): Pick<ServedTool, "buildResult" | "acceptResult"> {
  const { outputSchema: listed } = definition;
  const schema = output.schema ?? listed;
  if (schema !== undefined) validators.requireOutput();
  // A schema that the author wrote does not describe instances.
  const derived = output.openMembers ? undefined : schema;
  const isDeep = allowsAnyDepth(derived);
  const plan: DataPlan = {
    listed,
    write: createDataWriter(output, derived, converters.toJson, isDeep),
    isDeep,
    exact: schema && {
      schema,
      validators,
      openMembers: output.openMembers === true,
    },
  };
  const jsonPlan: DataPlan = { ...plan, write: (json) => json };
  return {
    buildResult: createResultBuilder(output.kind, plan),
    acceptResult: (result, own, revision, reject) =>
      toReplacedResult(result, own, jsonPlan, revision, reject),
  };
}
