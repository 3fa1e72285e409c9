import type { JsonSchema, Tool } from "@tenon/runtime/manifest";
import { type ApiMethod } from "@tenon/compiler";
import { answerOf } from "./answer.js";
import { bodyOf, type Body } from "./body.js";
import { type Argument, callSource, type OperationContext } from "./call-source.js";
import { descriptionOf, type Operation, type Parameter } from "../document/operations.js";
import type { Schemas } from "../schemas/schemas.js";
import { shortened } from "../document/short-text.js";
import { localName } from "./source-names.js";

/** A tool for an operation, and the method that asks the API. */
export function operationTool(operation: Operation, method: string, context: OperationContext): ApiMethod {
  const { schemas, parts } = context;
  const locals = new Set(["signal", "body", "query", "path", "joined", "deepObject"]);
  const names = new Set<string>();
  const args = operation.parameters.map((parameter): Argument => {
    const name = argumentName(parameter, names);
    names.add(name);
    return { name, local: localName(name, locals), parameter, schema: argumentSchema(parameter, schemas) };
  });
  const body = bodyOf(operation, schemas, names);
  const answer = answerOf(operation, schemas);
  for (const part of [...answer.parts, ...(body?.parts ?? [])]) parts.add(part);
  const { parameter, statements } = callSource(operation, args, body, answer, context);
  const tool: Tool = {
    name: method,
    description: descriptionOf(operation),
    inputSchema: inputOf(args, body) as Tool["inputSchema"],
    ...(answer.schema !== undefined && { outputSchema: answer.schema as NonNullable<Tool["outputSchema"]> }),
    ...annotationsOf(operation.method),
  };
  return { tool, method, parameter, result: answer.result, statements };
}

/** Names that every client takes. */
const TAKEN_BY_ALL = /^[a-zA-Z0-9_.-]{1,64}$/;

function argumentName({ name, in: place }: Parameter, used: ReadonlySet<string>): string {
  const plain =
    TAKEN_BY_ALL.test(name) && name !== "__proto__"
      ? name
      : name
          .replaceAll(/\[\]$/g, "")
          .replaceAll(/[^a-zA-Z0-9_.-]+/g, "_")
          .replaceAll(/^_+|_+$/g, "")
          .slice(0, 60) || place;
  if (!used.has(plain)) return plain;
  const other = `${place}_${plain}`.slice(0, 60);
  let free = other;
  for (let count = 2; used.has(free); count++) free = `${other}${count}`;
  return free;
}

function argumentSchema(parameter: Parameter, schemas: Schemas): JsonSchema {
  const { schema: part, description, isDeprecated, isRequired, in: place } = parameter;
  const schema: JsonSchema = part === undefined ? { type: "string" } : schemas.schemaOf(part, "in");
  const { default: fallback, ...rest } = schema;
  return {
    // A path has no place for what may be left out.
    ...(isRequired || place === "path" ? rest : schema),
    ...(fallback !== undefined && isRequired && {}),
    ...(description !== undefined && { description: shortened(description, 200) }),
    ...(isDeprecated && { deprecated: true }),
  };
}

function inputOf(args: readonly Argument[], body: Body | undefined): JsonSchema {
  if (args.length === 0 && body?.whole !== undefined) return body.whole;
  const properties = Object.fromEntries([
    ...args.map(({ name, schema }) => [name, schema] as const),
    ...Object.entries(body?.properties ?? {}),
  ]);
  const required = [
    ...args.filter(({ parameter }) => parameter.isRequired).map(({ name }) => name),
    ...(body?.required ?? []),
  ];
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** What HTTP says of a method. */
function annotationsOf(method: string): Pick<Tool, "annotations"> {
  if (method === "GET") return { annotations: { readOnlyHint: true } };
  if (method === "DELETE") return { annotations: { destructiveHint: true, idempotentHint: true } };
  return method === "PUT" ? { annotations: { idempotentHint: true } } : {};
}
