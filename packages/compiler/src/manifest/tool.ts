import type { JsonSchema, Output, Tool, ToolEntry } from "@tenon/runtime/manifest";
import type { Report } from "../diagnostics/diagnostic.js";
import { documentation } from "../jsdoc/documentation.js";
import type { PlainOptions } from "../declared-options.js";
import type { ToolDeclaration } from "../model.js";
import { deriveArguments } from "../schema/arguments/arguments.js";
import { deriveType } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { described, metaOf, toolAnnotations } from "./definition.js";
import { handlerRef } from "./handler.js";
import { looksLikeContent, outputKind, resultType } from "./output.js";

/** One tool: its definition, and what the runtime needs to convert and call. */
export function buildTool(declaration: ToolDeclaration, context: BuildContext): ToolEntry | undefined {
  const { options, name } = declaration;
  const report = context.collector.reporter(name);
  const { title, description, icons } = described(
    options,
    documentation(declaration.documented, context.cache.comments),
  );
  if (!description) report("description-missing", declaration.method.name, { kind: "tool", name: name.name });

  const { inputSchema: ownInput } = options;
  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker: context.project.checker,
    // With a schema of the author's own, only which parameter gets what is asked of the types.
    report: ownInput ? () => undefined : report,
    direction: "input",
    subject: name,
    cache: context.cache,
  });
  const output = buildOutput(declaration, context, report);
  if (!derived && ownInput) report("schema-parameters-unclear", declaration.method.name, { tool: name.name });
  if (!derived || !output) return undefined;
  const { schema: inputSchema, parameters, ...input } = derived;
  const definition: Tool = {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    inputSchema: (ownInput ?? inputSchema) as Tool["inputSchema"],
    ...(output.schema && { outputSchema: output.schema }),
    ...toolAnnotations(options),
    ...metaOf(options),
  };
  return {
    definition,
    handler: handlerRef(declaration, parameters),
    input,
    output: output.plan,
    ...unknownArgumentsOf(options),
    ...taskOf(options),
  };
}

function unknownArgumentsOf({ unknownArguments }: PlainOptions): Pick<ToolEntry, "unknownArguments"> {
  return unknownArguments ? { unknownArguments } : {};
}

function taskOf({ task, taskStart = "call" }: PlainOptions): Pick<ToolEntry, "task"> {
  return task ? { task: { support: task, start: taskStart } } : {};
}

/** How a result travels, and the schema that it is listed with, if any. */
interface BuiltOutput {
  plan: Output;
  schema?: JsonSchema;
}

function buildOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): BuiltOutput | undefined {
  const own = declaration.options.outputSchema;
  const derived = derivedOutput(declaration, context, report);
  if (!own || !derived) return derived;
  // What has a schema is structured, unless its type is one that travels as it is.
  const { plan } = derived;
  return { plan: { ...plan, kind: plan.kind === "content" ? "content" : "structured" }, schema: own };
}

function derivedOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): BuiltOutput | undefined {
  const { checker } = context.project;
  const type = resultType(declaration.signature, checker);
  const kind = outputKind(type, checker, context.cache.runtime);
  if (kind !== "structured") return { plan: { kind } };
  const at = declaration.method.type ?? declaration.method.name;
  if (looksLikeContent(type, checker))
    report("output-looks-like-content", at, { tool: declaration.name.name });
  const derived = deriveType(type, at, [], {
    checker,
    report,
    direction: "output",
    subject: declaration.name,
    cache: context.cache,
  });
  if (!derived) return undefined;
  const { schema, ...conversions } = derived;
  return { plan: { kind, ...conversions }, schema };
}
