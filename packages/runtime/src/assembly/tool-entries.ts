import type { Application } from "./application.js";
import type { ServedTool } from "./entries.js";
import type { ToolEntry } from "../manifest.js";
import { keepDeclared } from "../results/declared-members.js";
import { dataWriter } from "../results/data-writer.js";
import {
  contentResult,
  type DataPlan,
  mixedResult,
  NO_CONTENT,
  replacedResult,
  structuredResult,
  textResult,
  undeclaredResult,
} from "../results/tool-result.js";
import type { Validator } from "../validation/validators.js";
import { withoutUnknown } from "../values/arguments.js";
import type { Converters } from "../values/converters.js";
import type { HandlerResolver } from "./handlers.js";
import { outdated, validatorOf } from "./lookup.js";
import type { Settings } from "./settings.js";

/** @throws Error when manifest, classes and validators do not belong together. */
export function createToolEntries(
  { manifest, validators }: Application,
  { resolve }: HandlerResolver,
  { unknownArguments }: Settings,
  converters: Converters,
): Map<string, ServedTool> {
  return new Map(
    manifest.tools.map((entry): [string, ServedTool] => {
      const { definition, input } = entry;
      const { name, inputSchema } = definition;
      const validator = validatorOf(validators.tools, name, "tool");
      const served: ServedTool = {
        entry,
        handler: resolve(entry.handler, { kind: "tool" }),
        arguments: {
          validate: validator.input,
          schema: input.schema ?? inputSchema,
          convert: converters.argumentsConverter(input),
          noun: "argument",
          tidy: (entry.unknownArguments ?? unknownArguments) === "ignore" ? withoutUnknown : undefined,
        },
        ...resultsOf(entry, validator.output, converters),
      };
      return [name, served];
    }),
  );
}

/** How a tool's value becomes the members of its result, by what the tool declares to return. */
function resultsOf(
  { output, definition }: ToolEntry,
  validate: Validator | undefined,
  converters: Converters,
): Pick<ServedTool, "result" | "accept"> {
  const { name, outputSchema: listed } = definition;
  const schema = output.schema ?? listed;
  if (schema !== undefined && validate === undefined) throw outdated(`The tool "${name}" has no validator.`);
  const plan: DataPlan = {
    listed,
    write: dataWriter(output, output.openMembers ? undefined : schema, converters.toJson),
    exact: schema &&
      validate && { schema, validate, keep: output.openMembers ? undefined : keepDeclared(schema) },
  };
  const written: DataPlan = { ...plan, write: (json) => json };
  return {
    result: resultOf(output.kind, plan),
    accept: (result, own, revision, refuse) => replacedResult(result, own, written, revision, refuse),
  };
}

function resultOf(kind: ToolEntry["output"]["kind"], plan: DataPlan): ServedTool["result"] {
  switch (kind) {
    case "none":
      return () => NO_CONTENT;
    case "text":
      return textResult;
    case "structured":
      return (value, revision, refuse) => structuredResult(value, plan, revision, refuse);
    case "content":
      return (value, revision, refuse) => contentResult(value, plan, revision, refuse);
    case "mixed":
      return (value, revision, refuse) => mixedResult(value, plan, revision, refuse);
    case "unknown":
      return (value, revision, refuse) => undeclaredResult(value, plan, revision, refuse);
  }
}
