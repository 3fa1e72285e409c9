import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import type { ToolOptions } from "@tenon/runtime";
import type { PlainOptions } from "../declared-options.js";
import { withCurrentTuple } from "../json-schema/earlier-tuples.js";
import { findKeyword } from "../json-schema/keywords.js";
import { mapSchema, toObjectSchema } from "../json-schema/walk.js";
import { toPropertyName } from "./type-source.js";

/** The options of a decorator. Undefined ones are omitted. */
export type DecoratorOptions = Readonly<Record<string, unknown>>;

/**
 * Returns the options of a decorator as source, or undefined if there are none.
 *
 * @example
 * writeOptions({ name: "get-weather", readOnly: true, title: undefined }) // '{ name: "get-weather", readOnly: true }'
 */
export function writeOptions(options: DecoratorOptions): string | undefined {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : writeValue(Object.fromEntries(given));
}

/** Options of `@Tool` that a list of tools does not show, and the description, which becomes a doc comment. */
type UnlistedOption =
  | "description"
  | "scopes"
  | "prefix"
  | "unknownArguments"
  | "taskStart"
  | "rateLimit"
  | "timeoutMs"
  | "maxResultChars"
  | "view"
  | "visibility"
  | "openai";

type ListedOption = Exclude<keyof ToolOptions & keyof PlainOptions, UnlistedOption>;

/** The options of `@Tool` that reproduce a listed tool. A new option causes a type error until it is in this type or in `UnlistedOption`. */
type ListedToolOptions = Readonly<Record<Exclude<ListedOption, "inputSchema" | "outputSchema">, unknown>> &
  DecoratorOptions;

/**
 * Returns the options of `@Tool` that reproduce a listed tool.
 *
 * @param carriesSchemas whether to include the schemas, instead of types
 */
export function getToolOptions(tool: Tool, method: string, carriesSchemas: boolean): ListedToolOptions {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title } = tool.annotations ?? {};
  return {
    name: getNameOption(tool.name, method),
    title: tool.title ?? title,
    // Each implies the other.
    readOnly: readOnlyHint || destructiveHint === undefined ? readOnlyHint : undefined,
    destructive: readOnlyHint ? undefined : destructiveHint,
    idempotent: idempotentHint,
    openWorld: openWorldHint,
    task: getTaskSupport(tool),
    icons: tool.icons,
    meta: tool._meta,
    ...(carriesSchemas && {
      inputSchema: withoutDialect(tool.inputSchema),
      outputSchema: tool.outputSchema && withoutDialect(tool.outputSchema),
    }),
  };
}

/** Removes the dialect, which is draft-07 in many servers. Keywords that differ in 2020-12, except tuples, are reported as invalid. */
function withoutDialect({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => withObjectSchemas(withCurrentTuple(each)));
}

/** Replaces `true` and `false` in maps and lists of schemas, where options accept only objects. */
function withObjectSchemas(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([name, value]: [string, unknown]) => {
    const isHolder = findKeyword(name)?.holds !== undefined && typeof value === "object" && value !== null;
    if (isHolder && Array.isArray(value)) return [name, value.map(toObjectSchema)];
    if (!isHolder || findKeyword(name)?.holds !== "map") return [name, value];
    return [
      name,
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toObjectSchema(each)])),
    ];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

/** Returns the task support as servers of 2025-11-25 declare it. */
function getTaskSupport(tool: Tool & { execution?: { taskSupport?: string } }): string | undefined {
  const { taskSupport } = tool.execution ?? {};
  return taskSupport === "optional" || taskSupport === "required" ? taskSupport : undefined;
}

/** Returns the options of `@Prompt` that reproduce a listed prompt. */
export function getPromptOptions({ name, title, icons, _meta }: Prompt, method: string): DecoratorOptions {
  return { name: getNameOption(name, method), title, icons, meta: _meta };
}

/** Returns the options of `@Resource` that reproduce a listed resource or template. */
export function getResourceOptions(resource: Resource | ResourceTemplate, method: string): DecoratorOptions {
  const { name, title, mimeType, icons, annotations, _meta } = resource;
  const size = "size" in resource ? resource.size : undefined;
  return { name: getNameOption(name, method), title, mimeType, size, annotations, icons, meta: _meta };
}

/** Returns the name as an option, unless it is that of the method. */
function getNameOption(name: string, method: string): string | undefined {
  return name === method ? undefined : name;
}

/** Returns a member's name as source. In an object literal, a plain `__proto__` would set the prototype. */
function writeMemberName(name: string): string {
  return name === "__proto__" ? `["${name}"]` : toPropertyName(name);
}

/**
 * Returns a value as source.
 *
 * @param isUntyped whether the value has no contextual type, so that TypeScript would widen `type` to `string`
 */
function writeValue(value: unknown, isUntyped = false): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => writeValue(each, isUntyped)).join(", ")}]`;
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => {
      if (isUntyped && name === "type") return `type: ${writeConstant(each)}`;
      return `${writeMemberName(name)}: ${writeValue(each, isUntyped || name in Object.prototype)}`;
    });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function writeConstant(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeConstant).join(", ")}]`;
  return typeof value === "string" ? `${JSON.stringify(value)} as const` : writeValue(value, true);
}
