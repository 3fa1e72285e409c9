import type { JsonSchema } from "@tenon/runtime/manifest";
import { isHeaderName } from "../json-schema/header-keyword.js";

/** What schemas say of values, in the tags that say the same. */
const TAGS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "title",
] as const satisfies readonly (keyof JsonSchema)[];

/**
 * The tags of a schema, in lines.
 *
 * @example
 * tagsOf({ type: "integer", minimum: 1, default: 3 }) // ["@integer", "@minimum 1", "@default 3"]
 */
export function tagsOf(schema: JsonSchema): string[] {
  const isTuple = schema.prefixItems !== undefined;
  const types = new Set([schema.type ?? []].flat());
  const header = schema["x-mcp-header"];
  const lines = TAGS.flatMap((name) => {
    const value = schema[name];
    if (value === undefined || (isTuple && (name === "minItems" || name === "maxItems"))) return [];
    // Bytes are a type.
    if (name === "format" && schema.contentEncoding === "base64" && value === "byte") return [];
    return `@${name} ${String(value)}`;
  });
  return [
    ...(types.has("integer") && !types.has("number") ? ["@integer"] : []),
    ...lines,
    ...(schema.uniqueItems === true && !isTuple ? ["@uniqueItems"] : []),
    ...(schema.default === undefined ? [] : [`@default ${JSON.stringify(schema.default)}`]),
    ...(schema.examples ?? []).map((value) => `@example ${JSON.stringify(value)}`),
    ...(schema.deprecated === true ? ["@deprecated"] : []),
    ...(schema["writeOnly"] === true ? ["@secret"] : []),
    ...(typeof header === "string" && isHeaderName(header) ? [`@header ${header}`] : []),
  ];
}

/** What stands in a comment, line by line; empty where there is nothing to say. */
export function docText(description: string | undefined, tags: readonly string[]): string {
  const lines = [...(description === undefined ? [] : description.split("\n")), ...tags];
  return lines.map((line) => line.replaceAll("*/", "*\\/").trimEnd()).join("\n");
}

/** A comment with its line end; nothing where there is nothing to say. */
export function docComment(description: string | undefined, tags: readonly string[]): string {
  const text = docText(description, tags);
  if (text === "") return "";
  if (!text.includes("\n")) return `/** ${text} */\n`;
  const lines = text.split("\n").map((line) => ` * ${line}`.trimEnd());
  return `/**\n${lines.join("\n")}\n */\n`;
}

/**
 * The comment of a function that calls a tool, gets a prompt or reads a resource. Where its description ends with
 * `Deprecated: …`, as Tenon writes it and others do, editors are told so.
 */
export function functionComment(description: string | undefined): string {
  const match = /^(?:([^]*)\n\n)?Deprecated(?:: (.+(?:\n.+)*)|\.)$/.exec(description ?? "");
  return match ? docComment(match[1], [`@deprecated ${match[2] ?? ""}`]) : docComment(description, []);
}
