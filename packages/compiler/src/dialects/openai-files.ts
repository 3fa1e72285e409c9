/**
 * Files in the arguments of tools, for OpenAI's clients: they send an object with a URL from which the server downloads
 * the file. The schema must be exactly the one that OpenAI's scanner of tools expects.
 *
 * @see https://developers.openai.com/plugins/reference
 * @module
 */
import type { Conversion, FileLimits, JsonSchema, Tool, ToolEntry } from "@tenon/runtime/manifest";
import { containsFile } from "../conversions/map-conversion.js";
import { FILE_KEYWORD, FILE_NOTE } from "../json-schema/file-keyword.js";

/** The name of the metadata that lists the arguments with files. */
export const FILE_PARAMETERS = "openai/fileParams";

const NOTE = "A file. download_url is an https URL or a data URI; file_id identifies the file.";

const TEXT: JsonSchema = { type: "string" };

const FILE_OBJECT: JsonSchema = {
  type: "object",
  properties: { download_url: TEXT, file_id: TEXT, mime_type: TEXT, file_name: TEXT },
  required: ["download_url", "file_id"],
};

/** A tool whose schemas accept files from OpenAI's clients. */
interface WithFileParameters {
  entry: ToolEntry;
  /** The names of the arguments that are files, or lists of them. */
  names: string[];
  /** The names of the arguments that contain nested files, which these clients cannot send. */
  nested: string[];
}

/** Replaces the listed schema of arguments that are files, or lists of them. Calls may still send base64 or data URIs. */
export function addFileParameters(entry: ToolEntry): WithFileParameters {
  const { definition, input } = entry;
  const { conversion, conversions = {} } = input;
  const properties = conversion?.kind === "object" ? conversion.properties : {};
  const names = Object.keys(properties).filter((name) => isFileParameter(properties[name]));
  const hasFile = (each: Conversion | null): boolean =>
    each !== null &&
    (containsFile(each) ||
      (each.kind === "ref" && Object.values(conversions).some((target) => containsFile(target))));
  const nested = Object.keys(properties).filter(
    (name) => !names.includes(name) && hasFile(properties[name] ?? null),
  );
  if (names.length === 0) return { entry, names, nested };
  const exact = input.schema ?? definition.inputSchema;
  return {
    entry: {
      ...entry,
      definition: {
        ...definition,
        inputSchema: mapProperties(definition.inputSchema, names, toListed) as Tool["inputSchema"],
      },
      input: {
        ...input,
        schema: mapProperties(exact, names, toExact),
        conversion: {
          ...(conversion as Extract<Conversion, { kind: "object" }>),
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [
              name,
              each && names.includes(name) ? toRemote(each) : each,
            ]),
          ),
        },
      },
    },
    names,
    nested,
  };
}

function isFileParameter(conversion: Conversion | null | undefined): boolean {
  return conversion?.kind === "array" ? conversion.items.kind === "file" : conversion?.kind === "file";
}

function toRemote(conversion: Conversion): Conversion {
  if (conversion.kind === "array") return { kind: "array", items: toRemote(conversion.items) };
  if (conversion.kind !== "file") return conversion;
  const file: FileLimits = { ...conversion.file, remote: true };
  return { kind: "file", file };
}

function mapProperties(
  schema: JsonSchema,
  names: readonly string[],
  change: (property: JsonSchema) => JsonSchema,
): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, each]) => [
    name,
    names.includes(name) ? change(each) : each,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}

/** Returns the schema that clients see: the object, or a list of it. Limits remain in the description. */
function toListed(schema: JsonSchema): JsonSchema {
  const { description, title, deprecated, items, minItems, maxItems } = schema;
  const texts = { ...(title && { title }), ...(deprecated && { deprecated }) };
  if (typeof items === "object") {
    const counts = {
      ...(minItems !== undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
    };
    return {
      type: "array",
      ...texts,
      ...(description && { description }),
      items: toListed(items),
      ...counts,
    };
  }
  return { ...FILE_OBJECT, ...texts, description: (description ?? NOTE).replace(FILE_NOTE, NOTE) };
}

/** Returns the schema that arguments must satisfy: the previous one, or the object. */
function toExact(schema: JsonSchema): JsonSchema {
  const { items, default: given, ...rest } = schema;
  if (typeof items === "object") return { ...schema, items: toExact(items) };
  const { [FILE_KEYWORD]: _file, ...text } = rest;
  return { anyOf: [text, FILE_OBJECT], ...(given !== undefined && { default: given }) };
}
