import type { Input, Output, Tool, ToolEntry } from "@tenon/runtime/manifest";
import { checkHeaders, checkOwnHeaders } from "../check/headers.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { PlainOptions, ToolDeclaration } from "../model.js";
import { deriveArguments } from "../schema/arguments/arguments.js";
import { deriveType, type Derived } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { described, metaOf, schemaOption, toolAnnotations } from "./definition.js";
import { documentation } from "../jsdoc/documentation.js";
import { handlerRef } from "./handler.js";
import { listInput } from "./list-input.js";
import { planOf } from "./plan.js";
import { schemaProblem } from "../json-schema/schema-problem.js";
import { looksLikeContent, outputKind, resultType } from "./output.js";

/** One tool: its definition as clients see it, and what the runtime needs to check, convert and call. */
export function buildTool(declaration: ToolDeclaration, context: BuildContext): ToolEntry | undefined {
  const { options, name } = declaration;
  const report = context.collector.reporter(name);
  const documented = documentation(declaration.documented, context.cache.comments);
  const facts = described(options, documented);
  if (!facts.description)
    report("description-missing", declaration.method.name, { kind: "tool", name: name.name });

  const ownInput = ownSchema(declaration, "inputSchema", report);
  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker: context.project.checker,
    // With a schema of the author's own, only which parameter gets what is asked of the types.
    report: ownInput ? () => undefined : report,
    direction: "input",
    subject: name,
    cache: context.cache,
  });
  const result = buildOutput(declaration, context, report);
  if (!derived && ownInput) report("schema-parameters-unclear", declaration.method.name, { tool: name.name });
  if (!derived || !result) return undefined;
  const ownOutput = ownSchema(declaration, "outputSchema", report);
  const { checker } = context.project;
  if (ownInput) checkOwnHeaders(ownInput, declaration, report);
  else checkHeaders(derived.exact ?? derived.schema, declaration, checker, report);
  const listed = ownInput
    ? { schema: ownInput, input: withoutSchema(planOf(derived)) }
    : listInput(derived, declaration, context);
  const outputSchema = ownOutput ?? result.schema;
  const { title, description, icons } = facts;
  const definition: Tool = {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    inputSchema: listed.schema,
    ...(outputSchema && { outputSchema }),
    ...toolAnnotations(options),
    ...metaOf(options),
  };
  return {
    definition,
    handler: handlerRef(declaration, derived.parameters),
    input: listed.input,
    output: ownOutput
      ? { ...withoutSchema(result.output), kind: structuredUnlessContent(result.output.kind) }
      : result.output,
    ...unknownArgumentsOf(options),
    ...taskOf(options),
  };
}

/** An author's own schema is what values are checked against, too. */
function withoutSchema<Plan extends Input>({ schema: _schema, ...rest }: Plan): Omit<Plan, "schema"> {
  return rest;
}

function structuredUnlessContent(kind: Output["kind"]): Output["kind"] {
  return kind === "content" ? kind : "structured";
}

function unknownArgumentsOf({ unknownArguments }: PlainOptions): Pick<ToolEntry, "unknownArguments"> {
  return unknownArguments === "ignore" || unknownArguments === "reject" ? { unknownArguments } : {};
}

function taskOf({ task, taskStart }: PlainOptions): Pick<ToolEntry, "task"> {
  if (task !== "optional" && task !== "required") return {};
  return { task: { support: task, start: taskStart === "handler" ? "handler" : "call" } };
}

function buildOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): { output: Output; schema?: Derived["schema"] } | undefined {
  const { checker } = context.project;
  const type = resultType(declaration.signature, checker);
  const kind = outputKind(type, checker, context.cache.runtime);
  if (kind !== "structured") return { output: { kind } };
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
  return derived && { output: { kind, ...planOf(derived) }, schema: derived.schema };
}

/** The escape hatch: a schema from the decorator's options, checked but otherwise untouched. */
function ownSchema(
  declaration: ToolDeclaration,
  option: "inputSchema" | "outputSchema",
  report: Report,
): Tool["inputSchema"] | undefined {
  const schema = schemaOption(declaration.options, option);
  if (!schema) return undefined;
  const problem = schemaProblem(schema);
  if (problem) report("schema-invalid", declaration.decorator, { option, problem });
  else if (option === "inputSchema" && schema.type !== "object") {
    report("schema-root-not-object", declaration.decorator, { option });
  }
  return schema;
}
