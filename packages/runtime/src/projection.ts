/**
 * Definitions and content as a client of a given revision knows them. The manifest holds the newest form;
 * older forms lack members.
 * @module
 */
import type { JsonSchema } from "./json-schema.js";
import { isObject } from "./jsonrpc.js";
import type {
  Annotations,
  Content,
  Implementation,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from "./protocol.js";
import type { Revision } from "./revisions.js";

export function projectImplementation(info: Implementation, revision: Revision): Implementation {
  return without(info, revision.lacks.implementation);
}

export function projectTool(tool: Tool, revision: Revision): Tool {
  const projected = without(tool, revision.lacks.tool);
  if (revision.toolTitle === "annotation" && tool.title !== undefined) {
    projected.annotations = { title: tool.title, ...tool.annotations };
  }
  if (projected.outputSchema !== undefined && wrapsResults(projected.outputSchema, revision)) {
    projected.outputSchema = wrapSchema(projected.outputSchema);
  }
  return projected;
}

export function projectPrompt(prompt: Prompt, revision: Revision): Prompt {
  const projected = without(prompt, revision.lacks.prompt);
  if (projected.arguments !== undefined && revision.lacks.promptArgument.length > 0) {
    projected.arguments = projected.arguments.map((argument) =>
      without(argument, revision.lacks.promptArgument),
    );
  }
  return projected;
}

export function projectResource<T extends Resource | ResourceTemplate>(resource: T, revision: Revision): T {
  return withAnnotations(without(resource, revision.lacks.resource), revision);
}

/** Content blocks that the revision has no kind for become text. */
export function projectContent(content: Content, revision: Revision): Content {
  if (!revision.content.has(content.type)) return { type: "text", text: describeContent(content) };
  if (revision.lacks.content.length === 0 && revision.lacks.annotations.length === 0) return content;
  return withAnnotations(without(content, revision.lacks.content), revision);
}

function describeContent(content: Content): string {
  switch (content.type) {
    case "resource_link": {
      const name = content.title ?? content.name;
      return [`${name}: ${content.uri}`, content.description].filter(Boolean).join("\n");
    }
    case "audio":
    case "image":
      return `[${content.type}: ${content.mimeType}]`;
    default:
      return `[${content.type}]`;
  }
}

function withAnnotations<T extends { annotations?: Annotations }>(value: T, revision: Revision): T {
  if (value.annotations === undefined || revision.lacks.annotations.length === 0) return value;
  return { ...value, annotations: without(value.annotations, revision.lacks.annotations) };
}

function without<T extends object>(value: T, members: readonly string[]): T {
  const copy: T = { ...value };
  for (const member of members) delete (copy as Record<string, unknown>)[member];
  return copy;
}

/** True when `structuredContent` must be an object, but values of this schema need not be one. */
export function wrapsResults(outputSchema: JsonSchema, revision: Revision): boolean {
  return revision.structuredContent === "object" && outputSchema.type !== "object";
}

/**
 * The schema of `{ result: value }`. Definitions move to the new root, where references look for them.
 *
 * @example
 * wrapSchema({ type: "number" })
 * // { type: "object", properties: { result: { type: "number" } }, required: ["result"] }
 */
export function wrapSchema(schema: JsonSchema): JsonSchema {
  const { $schema, $defs, ...rest } = schema;
  const wrapped: JsonSchema = {
    type: "object",
    properties: { result: moveReferences(rest) as JsonSchema },
    required: ["result"],
  };
  if ($schema !== undefined) wrapped.$schema = $schema;
  if ($defs !== undefined) wrapped.$defs = moveReferences($defs) as Record<string, JsonSchema>;
  return wrapped;
}

/** References to the root and into it follow the schema to its new place; those into `$defs` stay. */
function moveReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moveReferences);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (name !== "$ref" || typeof value !== "string") return [name, moveReferences(value)];
      const moves = value === "#" || (value.startsWith("#/") && !value.startsWith("#/$defs/"));
      return [name, moves ? `#/properties/result${value.slice(1)}` : value];
    }),
  );
}
