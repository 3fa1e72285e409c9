import { ts } from "../typescript/typescript.js";
import { withoutCode } from "../diagnostics/diagnostic.js";
import type {
  DataOutput,
  Resource,
  ResourceEntry,
  ResourceTemplate,
  ResourceTemplateEntry,
} from "@tenon/runtime/manifest";
import { checkCompleters } from "../check/completers.js";
import { checkVariables, checkVariableTypes, readTemplateVariables } from "../check/resources.js";
import type { ResourceDeclaration } from "../model.js";
import { deriveArguments, type DerivedArguments } from "../schema/arguments/arguments.js";
import { deriveType } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import {
  createHandlerRef,
  describeDeclaration,
  toMeta,
  getResourceMembers,
  findTagText,
} from "./definition.js";
import { hasFile, isResourceResult, findOmittedMembers, getResultType } from "./output.js";
import { formatType } from "../typescript/type-text.js";

/** Builds a resource with a fixed URI. */
export function buildResource(
  declaration: ResourceDeclaration,
  context: BuildContext,
): ResourceEntry | undefined {
  const derived = readVariables(declaration, context);
  const output = deriveResourceOutput(declaration, context);
  if (!derived) return undefined;
  const { size, ...facts } = readFacts(declaration, context);
  const definition: Resource = {
    uri: declaration.uri,
    ...facts,
    ...(size !== undefined && { size }),
    ...toMeta(declaration.options),
  };
  return {
    definition,
    handler: createHandlerRef(declaration, derived.parameters),
    ...output,
  };
}

/** Builds a resource template, whose URI variables are the method's parameters. */
export function buildResourceTemplate(
  declaration: ResourceDeclaration,
  context: BuildContext,
): ResourceTemplateEntry | undefined {
  const derived = readVariables(declaration, context);
  const output = deriveResourceOutput(declaration, context);
  if (!derived) return undefined;
  const { size: _size, ...facts } = readFacts(declaration, context);
  const definition: ResourceTemplate = {
    uriTemplate: declaration.uri,
    ...facts,
    ...toMeta(declaration.options),
  };
  const { parameters, ...input } = derived;
  return { definition, handler: createHandlerRef(declaration, parameters), input, ...output };
}

function readVariables(
  declaration: ResourceDeclaration,
  context: BuildContext,
): DerivedArguments | undefined {
  const { checker } = context.project;
  const report = context.collector.createReport(declaration.name);
  const variables = readTemplateVariables(declaration, context.collector);
  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker,
    // This schema is not listed, so clients cannot reject it.
    report: withoutCode(report, "type-enum-of-numbers"),
    direction: "input",
    owner: declaration.owner.node.compilerNode,
    subject: declaration.name,
    cache: context.cache,
  });
  if (!derived || !variables) return undefined;
  const parameters = Object.keys(derived.schema.properties ?? {});
  const names = [...new Set(variables.map(({ name }) => name))];
  if (!checkVariables(declaration, names, parameters, context.collector)) return undefined;
  if (names.length > 0) checkCompleters(declaration, names, checker, context.collector);
  checkVariableTypes(declaration, variables, derived.schema, context.collector);
  return derived;
}

/**
 * Derives the output of a resource. Text and the specification's contents are sent as they are, bytes and files as a blob,
 * other values as JSON.
 */
function deriveResourceOutput(
  declaration: ResourceDeclaration,
  context: BuildContext,
): { output?: DataOutput; files?: true } {
  const { checker } = context.project;
  const declared = getResultType(declaration.signature, checker);
  // A missing result sends nothing.
  const type = checker.getNonNullableType(declared);
  const report = context.collector.createReport(declaration.name);
  const at = declaration.method.type ?? declaration.method.name;
  const { kind, name } = declaration.name;
  for (const each of findOmittedMembers(type, "ResourceResult", context.protocol)) {
    report("result-member-omitted", at, { kind, name, result: "ResourceResult", ...each });
  }
  if (type.flags & ts.TypeFlags.Never) {
    // A method that only throws may be a placeholder.
    if ((declared.flags & ts.TypeFlags.Never) === 0)
      report("resource-result-missing", at, { name, type: formatType(declared, checker) });
    return {};
  }
  if (isResourceResult(type, context.protocol)) return hasFile(type, checker) ? { files: true } : {};
  const derived = deriveType(type, at, [], {
    checker,
    report,
    direction: "output",
    subject: declaration.name,
    cache: context.cache,
  });
  // In a union with other data, only the bytes need a conversion.
  const isBytes = derived?.conversion?.kind === "bytes" && derived.schema.type === "string";
  return derived === undefined || isBytes ? {} : { output: derived };
}

type Facts = Omit<Resource, "uri" | "_meta">;

function readFacts(declaration: ResourceDeclaration, context: BuildContext): Facts {
  const { options, name, method } = declaration;
  const { title, description, icons } = describeDeclaration(options, declaration.documented, context.cache);
  if (!description) {
    context.collector.createReport(name)("description-missing", method.name, {
      kind: name.kind,
      name: name.name,
    });
  }
  return {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    ...getResourceMembers(options, findTagText(declaration.documented, "mimeType", context.cache.comments)),
  };
}
