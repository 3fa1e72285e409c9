import type { Input, Output, Tool, ToolEntry } from "@tenon/runtime/manifest";
import { schemaProblem } from "../emit/validators.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { ToolDeclaration } from "../model.js";
import { deriveArguments } from "../schema/arguments.js";
import { deriveType, type Derived } from "../schema/derive.js";
import type { BuildContext } from "./build.js";
import { described, metaOf, schemaOption, toolAnnotations } from "./definition.js";
import { documentation } from "./documentation.js";
import { handlerRef } from "./handler.js";
import { looksLikeContent, outputKind, resultType } from "./output.js";

/** One tool: its definition as clients see it, and what the runtime needs to check, convert and call. */
export function buildTool(declaration: ToolDeclaration, context: BuildContext): ToolEntry | undefined {
  const { options, name } = declaration;
  const report = context.collector.reporter(name);
  const documented = documentation(declaration.documented, context.project.checker);
  const facts = described(options, documented);
  if (!facts.description)
    report("description-missing", declaration.method.name, { kind: "tool", name: name.name });

  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker: context.project.checker,
    report,
    direction: "input",
    subject: name,
  });
  const result = buildOutput(declaration, context, report);
  if (!derived || !result) return undefined;
  const inputSchema = ownSchema(declaration, "inputSchema", report) ?? derived.schema;
  const outputSchema = ownSchema(declaration, "outputSchema", report) ?? result.schema;
  const { title, description, icons } = facts;
  const definition: Tool = {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...toolAnnotations(options),
    ...metaOf(options),
  };
  return {
    definition,
    handler: handlerRef(declaration, derived.parameters),
    input: conversionsOf(derived),
    output:
      outputSchema && result.output.kind !== "content"
        ? { ...result.output, kind: "structured" }
        : result.output,
    ...(options.unknownArguments === "ignore" && { unknownArguments: "ignore" as const }),
  };
}

/** The part of a derived type that is no schema. */
export function conversionsOf(derived: Pick<Derived, "conversion" | "conversions">): Input {
  return {
    ...(derived.conversion && { conversion: derived.conversion }),
    ...(derived.conversions && { conversions: derived.conversions }),
  };
}

function buildOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): { output: Output; schema?: Derived["schema"] } | undefined {
  const { checker } = context.project;
  const type = resultType(declaration.signature, checker);
  const kind = outputKind(type, checker, context.runtime);
  if (kind !== "structured") return { output: { kind } };
  const at = declaration.method.type ?? declaration.method.name;
  if (looksLikeContent(type, checker))
    report("output-looks-like-content", at, { tool: declaration.name.name });
  const derived = deriveType(type, at, [], {
    checker,
    report,
    direction: "output",
    subject: declaration.name,
  });
  return derived && { output: { kind, ...conversionsOf(derived) }, schema: derived.schema };
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
