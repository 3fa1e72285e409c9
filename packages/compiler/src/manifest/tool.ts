import type { JsonSchema, Output, Tool, ToolEntry } from "@tenon/runtime/manifest";
import type { Report } from "../diagnostics/diagnostic.js";
import type { PlainOptions } from "../declared-options.js";
import type { ToolDeclaration } from "../model.js";
import { deriveArguments } from "../schema/arguments/arguments.js";
import { deriveTypes } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { described, metaOf, toolAnnotations } from "./definition.js";
import { handlerRef } from "./handler.js";
import { leftOutMembers, looksLikeContent, resultType, toolOutput } from "./output.js";

/** One tool: its definition, and what the runtime needs to convert and call. */
export function buildTool(declaration: ToolDeclaration, context: BuildContext): ToolEntry | undefined {
  const { options, name } = declaration;
  const report = context.collector.reporter(name);
  const { title, description, icons } = described(options, declaration.documented, context.cache.comments);
  if (!description) report("description-missing", declaration.method.name, { kind: "tool", name: name.name });

  const { inputSchema: ownInput } = options;
  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker: context.project.checker,
    // With a schema of the author's own, only which parameter gets what is asked of the types.
    report: ownInput ? () => undefined : report,
    direction: "input",
    owner: declaration.owner.node.compilerNode,
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
  const kind = plan.kind === "content" || plan.kind === "mixed" ? plan.kind : "structured";
  return { plan: { ...plan, kind, openMembers: true }, schema: own };
}

function derivedOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): BuiltOutput | undefined {
  const { protocol, cache } = context;
  const { checker } = protocol;
  const { name, method, options, owner } = declaration;
  const type = resultType(declaration.signature, checker);
  const { kind, data, mayBeNull, withoutData } = toolOutput(type, protocol);
  const at = method.type ?? method.name;
  for (const each of leftOutMembers(type, "ToolResult", protocol)) {
    report("result-member-left-out", at, { kind: "tool", name: name.name, result: "ToolResult", ...each });
  }
  if (data.length === 0) return { plan: { kind } };
  if (kind === "structured" && looksLikeContent(type, protocol))
    report("output-looks-like-content", at, { tool: name.name });
  if (withoutData && !options.outputSchema)
    report("output-schema-left-out", at, { tool: name.name, type: checker.typeToString(withoutData) });
  const derived = deriveTypes(data, at, mayBeNull ?? false, {
    checker,
    report,
    direction: "output",
    owner: owner.node.compilerNode,
    subject: name,
    cache,
  });
  if (!derived) return undefined;
  const { schema, ...conversions } = derived;
  return { plan: { kind, ...conversions }, ...(!withoutData && { schema }) };
}
