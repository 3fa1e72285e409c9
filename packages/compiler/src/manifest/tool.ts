import type { HandlerParameter, JsonSchema, Output, Tool, ToolEntry } from "@tenon/runtime/manifest";
import { withoutCode, type Report } from "../diagnostics/diagnostic.js";
import type { PlainOptions } from "../declared-options.js";
import type { ToolDeclaration } from "../model.js";
import { deriveArguments } from "../schema/arguments/arguments.js";
import { deriveTypes, type Derived } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import type { ts } from "../typescript/typescript.js";
import { createHandlerRef, describeDeclaration, toMeta, toToolAnnotations } from "./definition.js";
import {
  classifyOutput,
  findOmittedMembers,
  getResultType,
  looksLikeContent,
  type DataType,
} from "./output.js";
import { formatType } from "../typescript/type-text.js";

/** Builds a tool: its definition, and what the runtime needs to convert values and call the method. */
export function buildTool(declaration: ToolDeclaration, context: BuildContext): ToolEntry | undefined {
  const { options, name } = declaration;
  const report = context.collector.createReport(name);
  const { title, description, icons } = describeDeclaration(options, declaration.documented, context.cache);
  if (!description) report("description-missing", declaration.method.name, { kind: "tool", name: name.name });

  const { inputSchema: ownInput } = options;
  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker: context.project.checker,
    // With a custom schema, the types only determine the source of each parameter.
    report: ownInput ? () => undefined : report,
    direction: "input",
    owner: declaration.owner.node.compilerNode,
    subject: name,
    cache: context.cache,
  });
  const output = buildOutput(declaration, context, report);
  if (!derived && ownInput) report("schema-parameters-unclear", declaration.method.name, { tool: name.name });
  const unknown = derived && ownInput && findUnknownParameter(derived.parameters, ownInput);
  if (unknown !== undefined)
    report("schema-parameters-unclear", findParameter(declaration, unknown) ?? declaration.method.name, {
      tool: name.name,
      parameter: unknown,
    });
  if (!derived || !output) return undefined;
  const { schema: inputSchema, parameters, ...input } = derived;
  const definition: Tool = {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    inputSchema: (ownInput ?? inputSchema) as Tool["inputSchema"],
    ...(output.schema && { outputSchema: output.schema }),
    ...toToolAnnotations(options),
    ...toMeta(options),
  };
  return {
    definition,
    handler: createHandlerRef(declaration, withPageLimit(parameters, options)),
    input,
    output: output.plan,
    ...(output.files && { files: true }),
    ...toUnknownArguments(options),
    ...(options.maxResultChars !== undefined && { maxResultChars: options.maxResultChars }),
    ...toTask(options),
    ...toVisibility(options),
  };
}

/** The keywords with which a schema may accept properties other than its `properties`. */
const OPEN_KEYWORDS = [
  ...["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"],
  ...["patternProperties", "additionalProperties", "unevaluatedProperties"],
];

/** Returns the first parameter that gets no value, because a custom schema does not name its argument. */
function findUnknownParameter(
  parameters: readonly HandlerParameter[],
  schema: JsonSchema,
): string | undefined {
  if (OPEN_KEYWORDS.some((keyword) => (schema as Record<string, unknown>)[keyword])) return undefined;
  const names = parameters.flatMap((each) => ("name" in each ? [each.name] : []));
  return names.find((each) => !Object.hasOwn(schema.properties ?? {}, each));
}

function findParameter({ signature }: ToolDeclaration, name: string): ts.Node | undefined {
  return signature.parameters.find((each) => each.name === name)?.valueDeclaration;
}

/** Adds the limit of the tool to its cursor, whose pages must fit. */
function withPageLimit(
  parameters: readonly HandlerParameter[],
  { maxResultChars: maxChars }: PlainOptions,
): HandlerParameter[] {
  return parameters.map((each) => (each.from === "cursor" && maxChars ? { ...each, maxChars } : each));
}

function toUnknownArguments({ unknownArguments }: PlainOptions): Pick<ToolEntry, "unknownArguments"> {
  return unknownArguments ? { unknownArguments } : {};
}

function toTask({ task, taskStart = "call" }: PlainOptions): Pick<ToolEntry, "task"> {
  return task ? { task: { support: task, start: taskStart } } : {};
}

/** Returns the only party that may call the tool: models or views. Returns an empty object if both may. */
function toVisibility({ visibility = [] }: PlainOptions): Pick<ToolEntry, "visibility"> {
  const distinct = [...new Set(visibility)];
  return distinct.length === 1 ? { visibility: distinct } : {};
}

/** How a result is sent, and its listed schema. */
interface BuiltOutput {
  plan: Output;
  schema?: JsonSchema;
  /** Whether the result may contain files. */
  files?: true;
}

function buildOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): BuiltOutput | undefined {
  const own = declaration.options.outputSchema;
  // A custom schema describes what the types do not.
  const derived = deriveOutput(declaration, context, own ? withoutCode(report, "type-any") : report);
  if (!own || !derived) return derived;
  // A result with a schema is structured, unless it is content, which is sent unchanged.
  const { plan } = derived;
  if (own["type"] === "object" && (plan.kind === "text" || plan.kind === "none")) {
    const { name, method, signature } = declaration;
    const { checker } = context.protocol;
    report("schema-result-not-object", method.type ?? method.name, {
      tool: name.name,
      type: formatType(getResultType(signature, checker), checker),
    });
  }
  const kind = plan.kind === "content" || plan.kind === "mixed" ? plan.kind : "structured";
  return { ...derived, plan: { ...plan, kind, openMembers: true }, schema: own };
}

function deriveOutput(
  declaration: ToolDeclaration,
  context: BuildContext,
  report: Report,
): BuiltOutput | undefined {
  const { protocol, cache } = context;
  const { checker } = protocol;
  const { name, method, options, owner } = declaration;
  const type = getResultType(declaration.signature, checker);
  const { kind, data, mayBeNull, untyped, withoutData, files } = classifyOutput(type, protocol);
  const at = method.type ?? method.name;
  for (const each of findOmittedMembers(type, "ToolResult", protocol)) {
    report("result-member-omitted", at, { kind: "tool", name: name.name, result: "ToolResult", ...each });
  }
  const derive = (types: readonly DataType[], isNullable: boolean): Derived | undefined =>
    deriveTypes(types, at, isNullable, {
      checker,
      report,
      direction: "output",
      owner: owner.node.compilerNode,
      subject: name,
      cache,
    });
  // The schema of `any` would be empty, but a type that TypeScript does not find is an error.
  if (untyped && !derive([untyped], false)) return undefined;
  if (data.length === 0) return { plan: { kind }, ...(files && { files }) };
  if (kind === "structured" && looksLikeContent(type, protocol))
    report("output-looks-like-content", at, { tool: name.name });
  if (withoutData && !options.outputSchema)
    report("output-schema-omitted", at, { tool: name.name, type: formatType(withoutData, checker) });
  const derived = derive(data, mayBeNull ?? false);
  if (!derived) return undefined;
  const { schema, ...conversions } = derived;
  // Data is validated even if its schema is not listed.
  return withoutData
    ? { plan: { kind, schema, ...conversions }, ...(files && { files }) }
    : { plan: { kind, ...conversions }, schema, ...(files && { files }) };
}
