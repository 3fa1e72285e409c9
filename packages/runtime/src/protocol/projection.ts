/**
 * Definitions and content as clients of a revision know them. The manifest holds the newest form;
 * older forms lack members.
 * @module
 */
import { CONTENT_KINDS, contentAsText } from "./content-kinds.js";
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

export function projectImplementation(info: Implementation, { lacks }: Revision): Implementation {
  return without(without(info, lacks.members), lacks.implementation);
}

export function projectTool(tool: Tool, revision: Revision): Tool {
  const { members, tool: rest } = revision.lacks;
  // Before tools had titles, their annotations did.
  const named =
    tool.title !== undefined && members.includes("title")
      ? { ...tool, annotations: { title: tool.title, ...tool.annotations } }
      : tool;
  const projected = without(without(named, members), rest);
  const { outputSchema } = projected;
  return outputSchema !== undefined && wrapsResults(outputSchema, revision)
    ? { ...projected, outputSchema: wrapSchema(outputSchema) }
    : projected;
}

export function projectPrompt(prompt: Prompt, { lacks: { members } }: Revision): Prompt {
  const projected = without(prompt, members);
  if (projected.arguments === undefined) return projected;
  return { ...projected, arguments: projected.arguments.map((each) => without(each, members)) };
}

export function projectResource<T extends Resource | ResourceTemplate>(resource: T, revision: Revision): T {
  return withAnnotations(without(resource, revision.lacks.members), revision);
}

/** Content blocks that the revision has no kind for become text. */
export function projectContent(content: Content, revision: Revision): Content {
  const isKnown = Object.hasOwn(CONTENT_KINDS, content.type);
  if (isKnown && !revision.content.includes(content.type))
    return { type: "text", text: contentAsText(content) };
  return withAnnotations(without(content, revision.lacks.members), revision);
}

function withAnnotations<T extends { annotations?: Annotations | undefined }>(
  value: T,
  { lacks }: Revision,
): T {
  if (value.annotations === undefined) return value;
  const annotations = without(value.annotations, lacks.members);
  return annotations === value.annotations ? value : { ...value, annotations };
}

/** The value, or a copy where it has any of the members. */
function without<T extends object>(value: T, members: readonly string[]): T {
  let rest = value;
  for (const member of members) {
    if (!Object.hasOwn(rest, member)) continue;
    if (rest === value) rest = { ...value };
    delete (rest as Record<string, unknown>)[member];
  }
  return rest;
}

/** True when `structuredContent` must be an object, but values of this schema need not be one. */
export function wrapsResults(outputSchema: JsonSchema, revision: Revision): boolean {
  return revision.structuredContent === "object" && outputSchema.type !== "object";
}

/**
 * The schema of `{ result: value }`. Definitions move to the new root, where references look for them, and so does
 * the description, which is of the whole result.
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
