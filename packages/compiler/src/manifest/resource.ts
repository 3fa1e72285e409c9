import { ts } from "../project/typescript.js";
import { withoutCode } from "../diagnostics/diagnostic.js";
import type {
  DataOutput,
  Resource,
  ResourceEntry,
  ResourceTemplate,
  ResourceTemplateEntry,
} from "@tenon/runtime/manifest";
import { checkVariables, checkVariableTypes, templateVariables } from "../check/resources.js";
import type { ResourceDeclaration } from "../model.js";
import { deriveArguments, type DerivedArguments } from "../schema/arguments/arguments.js";
import { deriveType } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { described, metaOf, resourceFacts } from "./definition.js";
import { tagText } from "../jsdoc/documentation.js";
import { handlerRef } from "./handler.js";
import { isResourceResult, leftOutMembers, resultType } from "./output.js";

/** A resource with a fixed URI. */
export function buildResource(
  declaration: ResourceDeclaration,
  context: BuildContext,
): ResourceEntry | undefined {
  const derived = readVariables(declaration, context);
  const output = outputOf(declaration, context);
  if (!derived) return undefined;
  const { size, ...facts } = factsOf(declaration, context);
  const definition: Resource = {
    uri: declaration.uri,
    ...facts,
    ...(size !== undefined && { size }),
    ...metaOf(declaration.options),
  };
  return { definition, handler: handlerRef(declaration, derived.parameters), ...(output && { output }) };
}

/** A resource whose URI has variables: they are the method's parameters. */
export function buildResourceTemplate(
  declaration: ResourceDeclaration,
  context: BuildContext,
): ResourceTemplateEntry | undefined {
  const derived = readVariables(declaration, context);
  const output = outputOf(declaration, context);
  if (!derived) return undefined;
  const { size: _size, ...facts } = factsOf(declaration, context);
  const definition: ResourceTemplate = {
    uriTemplate: declaration.uri,
    ...facts,
    ...metaOf(declaration.options),
  };
  const { parameters, ...input } = derived;
  return { definition, handler: handlerRef(declaration, parameters), input, ...(output && { output }) };
}

function readVariables(
  declaration: ResourceDeclaration,
  context: BuildContext,
): DerivedArguments | undefined {
  const { checker } = context.project;
  const report = context.collector.reporter(declaration.name);
  const variables = templateVariables(declaration, context.collector);
  const derived = deriveArguments(declaration.signature, declaration.method, {
    checker,
    // No schema of these is listed, so no client refuses one.
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
  checkVariableTypes(declaration, variables, derived.schema, context.collector);
  return derived;
}

/** Text and the specification's contents travel as they are, bytes as a blob, anything else as the JSON of its type. */
function outputOf(declaration: ResourceDeclaration, context: BuildContext): DataOutput | undefined {
  const { checker } = context.project;
  // Of what is not there, nothing is sent.
  const type = checker.getNonNullableType(resultType(declaration.signature, checker));
  const report = context.collector.reporter(declaration.name);
  const at = declaration.method.type ?? declaration.method.name;
  const { kind, name } = declaration.name;
  for (const each of leftOutMembers(type, "ResourceResult", context.protocol)) {
    report("result-member-left-out", at, { kind, name, result: "ResourceResult", ...each });
  }
  if (type.flags & ts.TypeFlags.Never || isResourceResult(type, context.protocol)) return undefined;
  const derived = deriveType(type, at, [], {
    checker,
    report,
    direction: "output",
    subject: declaration.name,
    cache: context.cache,
  });
  return derived?.conversion?.kind === "bytes" ? undefined : derived;
}

type Facts = Omit<Resource, "uri" | "_meta">;

function factsOf(declaration: ResourceDeclaration, context: BuildContext): Facts {
  const { options, name, method } = declaration;
  const { title, description, icons } = described(options, declaration.documented, context.cache.comments);
  if (!description) {
    context.collector.reporter(name)("description-missing", method.name, {
      kind: name.kind,
      name: name.name,
    });
  }
  return {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    ...resourceFacts(options, tagText(declaration.documented, "mimeType", context.cache.comments)),
  };
}
