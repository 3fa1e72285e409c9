import type { JsonSchema } from "@tenon/runtime/manifest";
import { withCurrentTuple } from "../json-schema/earlier-tuples.js";
import { isHeaderName } from "../json-schema/header-keyword.js";
import { KEYWORDS, LIMITS } from "../json-schema/keywords.js";

/** The keywords that are written as tags of the same name. */
const TAGS = [...LIMITS.filter((name) => KEYWORDS[name].data !== "flag"), "title"] as const;

/**
 * Returns the tags of a schema, one per line.
 *
 * @example
 * listTags({ type: "integer", minimum: 1, default: 3 }) // ["@integer", "@minimum 1", "@default 3"]
 */
export function listTags(schema: JsonSchema): string[] {
  const { prefixItems, items } = withCurrentTuple(schema);
  const isTuple = prefixItems !== undefined;
  // The type of a tuple states how many of its own elements there are.
  const isOpenTuple = isTuple && items !== false;
  const types = new Set([schema.type ?? []].flat());
  const header = schema["x-mcp-header"];
  const lines = TAGS.flatMap((name) => {
    const value = schema[name];
    if (value === undefined) return [];
    if (isTuple && (name === "minItems" || name === "maxItems"))
      return isOpenTuple && Number(value) > prefixItems.length ? `@${name} ${String(value)}` : [];
    // Bytes have their own type.
    if (name === "format" && schema.contentEncoding === "base64" && value === "byte") return [];
    return `@${name} ${String(value)}`;
  });
  return [
    ...(types.has("integer") && !types.has("number") ? ["@integer"] : []),
    ...lines,
    ...(schema.uniqueItems === true ? ["@uniqueItems"] : []),
    ...(schema.default === undefined ? [] : [`@default ${JSON.stringify(schema.default)}`]),
    ...(schema.examples ?? []).map((value) => `@example ${JSON.stringify(value)}`),
    ...(schema.deprecated === true ? ["@deprecated"] : []),
    ...(schema["writeOnly"] === true ? ["@secret"] : []),
    ...(typeof header === "string" && isHeaderName(header) ? [`@header ${header}`] : []),
  ];
}

/** Characters that change how a terminal or an editor displays the code around them. */
// oxlint-disable-next-line no-control-regex -- these are removed
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Returns the lines of a comment, without control characters. Empty without text and tags. */
export function writeDocText(description: string | undefined, tags: readonly string[]): string {
  const lines = [...(description === undefined ? [] : description.split("\n")), ...tags];
  return lines.map((line) => line.replaceAll(INVISIBLE, "").replaceAll("*/", "*\\/").trimEnd()).join("\n");
}

/** Returns a comment with its line ending, or an empty string if there is no text. */
export function writeDocComment(description: string | undefined, tags: readonly string[]): string {
  const text = writeDocText(description, tags);
  if (text === "") return "";
  if (!text.includes("\n")) return `/** ${text} */\n`;
  const lines = text.split("\n").map((line) => ` * ${line}`.trimEnd());
  return `/**\n${lines.join("\n")}\n */\n`;
}

/**
 * Returns the comment of a function that calls a tool, gets a prompt, or reads a resource. If its description ends with
 * `Deprecated: …`, as Tenon and others write it, editors display the deprecation.
 */
export function writeFunctionComment(description: string | undefined): string {
  const match = /^(?:([^]*)\n\n)?Deprecated(?:: (.+(?:\n.+)*)|\.)$/.exec(description ?? "");
  return match
    ? writeDocComment(match[1], [`@deprecated ${match[2] ?? ""}`])
    : writeDocComment(description, []);
}
