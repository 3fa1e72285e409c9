/**
 * Projection of definitions and content to the form that clients of a revision know. The manifest has the newest
 * form; older forms lack members.
 * @module
 */
import { CONTENT_KINDS, toFallbackText } from "./content-kinds.js";
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
} from "./specification.js";
import type { Revision } from "./revisions.js";

/** Removes the members that a revision lacks from the description of a server or client. */
export function projectImplementation(info: Implementation, { lacks }: Revision): Implementation {
  return omitMembers(omitMembers(info, lacks.members), lacks.implementation);
}

/** Removes the members that a revision lacks from a tool. */
export function projectTool(tool: Tool, revision: Revision): Tool {
  const { members, tool: rest } = revision.lacks;
  // In older revisions, only the annotations of a tool have a title.
  const named =
    tool.title !== undefined && members.includes("title")
      ? { ...tool, annotations: { title: tool.title, ...tool.annotations } }
      : tool;
  const projected = omitMembers(omitMembers(named, members), rest);
  const { outputSchema } = projected;
  return outputSchema !== undefined && wrapsResults(outputSchema, revision)
    ? { ...projected, outputSchema: wrapSchema(outputSchema) }
    : projected;
}

/** Removes the members that a revision lacks from a prompt. */
export function projectPrompt(prompt: Prompt, { lacks: { members } }: Revision): Prompt {
  const projected = omitMembers(prompt, members);
  if (projected.arguments === undefined) return projected;
  return { ...projected, arguments: projected.arguments.map((each) => omitMembers(each, members)) };
}

/** Removes the members that a revision lacks from a resource or template. */
export function projectResource<T extends Resource | ResourceTemplate>(resource: T, revision: Revision): T {
  return withAnnotations(omitMembers(resource, revision.lacks.members), revision);
}

/** Projects a content block. A kind that the revision lacks becomes text. */
export function projectContent(content: Content, revision: Revision): Content {
  const isKnown = Object.hasOwn(CONTENT_KINDS, content.type);
  if (isKnown && !revision.content.includes(content.type))
    return { type: "text", text: toFallbackText(content) };
  return withAnnotations(omitMembers(content, revision.lacks.members), revision);
}

function withAnnotations<T extends { annotations?: Annotations | undefined }>(
  value: T,
  { lacks }: Revision,
): T {
  if (value.annotations === undefined) return value;
  const annotations = omitMembers(value.annotations, lacks.members);
  return annotations === value.annotations ? value : { ...value, annotations };
}

/** Returns the value without the members. Copies it only if it has any of them. */
function omitMembers<T extends object>(value: T, members: readonly string[]): T {
  let rest = value;
  for (const member of members) {
    if (!Object.hasOwn(rest, member)) continue;
    if (rest === value) rest = { ...value };
    delete (rest as Record<string, unknown>)[member];
  }
  return rest;
}

/** Returns whether `structuredContent` must be an object but the schema allows other values. */
export function wrapsResults(outputSchema: JsonSchema, revision: Revision): boolean {
  return revision.structuredContent === "object" && outputSchema.type !== "object";
}

/**
 * Returns the schema of `{ result: value }`. Definitions move to the new root, so that references find them. The
 * description moves too, because it describes the whole result.
 *
 * @example
 * wrapSchema({ type: "number" })
 * // { type: "object", properties: { result: { type: "number" } }, required: ["result"] }
 */
export function wrapSchema(schema: JsonSchema): JsonSchema {
  const { $schema, $defs, description, ...rest } = schema;
  const wrapped: JsonSchema = {
    type: "object",
    properties: { result: moveReferences(rest) as JsonSchema },
    required: ["result"],
  };
  if (description !== undefined) wrapped.description = description;
  if ($schema !== undefined) wrapped.$schema = $schema;
  if ($defs !== undefined) wrapped.$defs = moveReferences($defs) as Record<string, JsonSchema>;
  return wrapped;
}

/** Updates references to the root and into it, because the schema has moved. References into `$defs` stay. */
function moveReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moveReferences);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (name !== "$ref" || typeof value !== "string") return [name, moveReferences(value)];
      const isMoved = value === "#" || (value.startsWith("#/") && !value.startsWith("#/$defs/"));
      return [name, isMoved ? `#/properties/result${value.slice(1)}` : value];
    }),
  );
}
