import { type ApiMethod, RESULT_TYPE } from "@tenon/compiler";
import type { JsonSchema, Tool, ToolAnnotations } from "@tenon/runtime/manifest";
import type { Style } from "../client/values.js";
import { describeOperation, shorten } from "../document/descriptions.js";
import type { ApiDocument } from "../document/document.js";
import type { Operation, Parameter, SecurityRequirements } from "../document/operations.js";
import { createUniqueName, createVariableName } from "../document/names.js";
import type { Schemas } from "../schemas/schemas.js";
import { CLIENT_FUNCTIONS } from "./client-source.js";
import { type BodyPlan, planBody } from "./request-body.js";
import { planResponse, type ResponsePlan } from "./response.js";
import { escapeTemplate, writeMember, writeSecurity } from "./source-text.js";

/** The document of an operation, and its differences from the defaults of the document. */
export interface OperationContext {
  readonly document: ApiDocument;
  readonly schemas: Schemas;
  /** The base URL, if not that of the document. */
  readonly url: string | undefined;
  /** The security requirements, if not those of the document. */
  readonly security: SecurityRequirements | undefined;
  /** Reports a part of the operation that is not sent as the document describes. */
  readonly note: (text: string) => void;
}

/** An argument of a tool, and the parameter that it is sent as. */
interface Argument {
  readonly name: string;
  /** The variable that holds it in the method. */
  readonly variable: string;
  readonly parameter: Parameter;
  readonly schema: JsonSchema;
  /** The style to write it in, unless it is the default for its location. */
  readonly style: Style | undefined;
  /** Whether it may be a list or an object. */
  readonly hasMembers: boolean;
}

/** Maximum number of query parameters that are named. More are sent as the rest of the arguments. */
const MAX_NAMED_PARAMETERS = 4;
const MAX_LINE_CHARACTERS = 100;

/** Returns a tool for an operation, and the method that calls the API. */
export function writeOperationMethod(
  operation: Operation,
  method: string,
  context: OperationContext,
): ApiMethod {
  const { document, schemas, note } = context;
  for (const part of operation.unsent) note(part);
  const variables = new Set(["signal", "body", "query", ...CLIENT_FUNCTIONS]);
  const names = new Set<string>();
  const args = operation.parameters.map((parameter): Argument => {
    const name = createArgumentName(parameter, names);
    const schema = createArgumentSchema(parameter, schemas);
    const style = getParameterStyle(parameter, schema, schemas);
    const hasMembers = mayHaveMembers(schema, schemas);
    return { name, variable: createVariableName(name, variables), parameter, schema, style, hasMembers };
  });
  const body = planBody(operation, document, schemas, names, note);
  const response = planResponse(operation, schemas);
  const query = args.filter(({ parameter }) => parameter.in === "query");
  const isRest =
    body === undefined &&
    query.length > MAX_NAMED_PARAMETERS &&
    query.every((each) => each.name === each.parameter.name && writeValue(each) === each.variable);
  const tool: Tool = {
    name: method,
    description: describeOperation(operation),
    inputSchema: createInputSchema(args, body) as Tool["inputSchema"],
    ...(response.schema && { outputSchema: response.schema as NonNullable<Tool["outputSchema"]> }),
    annotations: { ...(HINTS[operation.method] ?? UNKNOWN_EFFECT), openWorldHint: true },
  };
  return {
    tool,
    method,
    parameter: writeParameters(isRest ? args.filter((each) => !query.includes(each)) : args, body, isRest),
    result: response.result,
    statements: writeCall(operation, args, body, response, isRest, context),
  };
}

/** The hints that follow from HTTP, by method. All calls reach a service outside the server. */
const HINTS: Readonly<Record<string, ToolAnnotations>> = {
  GET: { readOnlyHint: true },
  DELETE: { destructiveHint: true, idempotentHint: true },
  PUT: { destructiveHint: true, idempotentHint: true },
};

/** The hint of other methods. Their effect is unknown. Directories require a hint even where it is the specification's default. */
const UNKNOWN_EFFECT: ToolAnnotations = { destructiveHint: true };

/** Returns the parameter's name if all clients accept it, or one close to it. */
function createArgumentName({ name, in: location }: Parameter, used: Set<string>): string {
  const isPlain = /^[a-zA-Z0-9_.-]{1,64}$/.test(name) && name !== "__proto__";
  const plain = isPlain
    ? name
    : name
        .replaceAll(/\[\]$/g, "")
        .replaceAll(/[^a-zA-Z0-9_.-]+/g, "_")
        .replaceAll(/^_+|_+$/g, "")
        .slice(0, 60) || location;
  return createUniqueName(used.has(plain) ? `${location}_${plain}`.slice(0, 60) : plain, used);
}

function createArgumentSchema(parameter: Parameter, schemas: Schemas): JsonSchema {
  const { schema: source, description, isDeprecated, isRequired } = parameter;
  const schema: JsonSchema = source === undefined ? { type: "string" } : { ...schemas.read(source, "in") };
  if (isRequired) delete schema.default;
  if (description !== undefined) schema.description = shorten(description, 200);
  if (isDeprecated) schema.deprecated = true;
  return schema;
}

/** Returns the style of a parameter for the client, unless it is the default for its location. */
function getParameterStyle(parameter: Parameter, schema: JsonSchema, schemas: Schemas): Style | undefined {
  const { in: location, style, isExploded, mediaType } = parameter;
  if (location === "path") return undefined;
  if (mediaType?.includes("json") === true) return "json";
  if (!mayHaveMembers(schema, schemas)) return undefined;
  if (style === "deepObject") return style;
  if (location === "header") return isExploded ? "exploded" : undefined;
  if (isExploded) return undefined;
  return style === "spaceDelimited" || style === "pipeDelimited" ? style : "joined";
}

/** Returns whether a value may be a list or an object, which styles write differently. */
function mayHaveMembers(schema: JsonSchema, schemas: Schemas): boolean {
  const types = [schemas.resolve(schema).type ?? "unknown"].flat();
  return types.some((type) => ["array", "object", "unknown"].includes(type));
}

function createInputSchema(args: readonly Argument[], body: BodyPlan | undefined): JsonSchema {
  if (args.length === 0 && body?.whole !== undefined) return body.whole;
  const required = args.filter(({ parameter }) => parameter.isRequired).map(({ name }) => name);
  required.push(...(body?.required ?? []));
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
      ...body?.properties,
    },
    ...(required.length > 0 && { required }),
  };
}

/** Returns the method's parameter: the arguments by name, and the body or the query as the rest. */
function writeParameters(
  named: readonly Argument[],
  body: BodyPlan | undefined,
  isRest: boolean,
): string | undefined {
  const names = named.map(({ name, variable }) => writeMember(name, variable));
  if (body?.isSpread === true && names.length === 0) return "body";
  if (body !== undefined) names.push(body.isSpread ? "...body" : writeMember(body.argument, "body"));
  else if (isRest) names.push("...query");
  return names.length === 0 ? undefined : `{ ${names.join(", ")} }`;
}

/** Returns the only statement of a method, which calls the client. */
function writeCall(
  operation: Operation,
  args: readonly Argument[],
  body: BodyPlan | undefined,
  { reader, accept }: ResponsePlan,
  isRest: boolean,
  { url, security }: OperationContext,
): string {
  const members = (["query", "header", "cookie"] as const).flatMap((location) => {
    const entries = args
      .filter(({ parameter }) => parameter.in === location)
      .map((each) => writeMember(each.parameter.name, writeValue(each)));
    if (entries.length === 0) return [];
    if (location === "query")
      return [isRest ? "query" : `query: ${writeObject(entries, MAX_LINE_CHARACTERS - 20)}`];
    return [`${location}s: ${writeObject(entries, MAX_LINE_CHARACTERS - 20)}`];
  });
  if (body !== undefined) members.push(`body: ${body.source}`);
  if (accept !== undefined) members.push(`accept: ${JSON.stringify(accept)}`);
  if (url !== undefined) members.push(`url: ${JSON.stringify(url)}`);
  if (security !== undefined) members.push(`security: ${writeSecurity(security)}`);
  members.push("signal");
  const start = `${reader === "done" ? "await" : "return"} this.#api.${reader}`;
  const type = reader === "json" ? `<${RESULT_TYPE}>` : "";
  const call = `${start}${type}("${operation.method}", ${writePath(operation.path, args)}, `;
  return `${call}${writeObject(members, MAX_LINE_CHARACTERS - call.length)});`;
}

/** Returns an object literal: on one line up to `maxCharacters`, or else with a line for each member. */
function writeObject(members: readonly string[], maxCharacters: number): string {
  const line = members.join(", ");
  const isShort = line.length < maxCharacters && !line.includes("\n");
  return isShort ? `{ ${line} }` : `{\n${members.map((member) => `${member},\n`).join("")}}`;
}

/** Returns a template literal in which the client encodes each value as one segment. */
function writePath(path: string, args: readonly Argument[]): string {
  const byName = new Map(
    args.filter(({ parameter }) => parameter.in === "path").map((each) => [each.parameter.name, each]),
  );
  if (byName.size === 0) return JSON.stringify(path);
  const parts = path.split(/(\{[^{}]+\})/).map((part) => {
    const found = part.startsWith("{") ? byName.get(part.slice(1, -1)) : undefined;
    if (found === undefined) return escapeTemplate(part);
    return `\${${writeSegment(found)}}`;
  });
  return `path\`${parts.join("")}\``;
}

/** Returns the value of a parameter outside the path, with its style and encoding unless they are the defaults. */
function writeValue({ parameter, variable, style }: Argument): string {
  const isReserved = parameter.in === "query" && parameter.allowsReserved;
  if (style === undefined && !isReserved) return variable;
  return `styled("${style ?? "form"}", ${variable}${isReserved ? ', "reserved"' : ""})`;
}

/** Returns the value of a parameter in the path, in its style. */
function writeSegment({ parameter, variable, hasMembers }: Argument): string {
  const { name, style, isExploded, mediaType } = parameter;
  if (mediaType?.includes("json") === true) return `jsonSegment(${variable})`;
  const exploded = isExploded && hasMembers ? ", true" : "";
  if (style === "label") return `labelSegment(${variable}${exploded})`;
  if (style === "matrix") return `matrixSegment(${JSON.stringify(name)}, ${variable}${exploded})`;
  return isExploded && hasMembers ? `explodedSegment(${variable})` : variable;
}
