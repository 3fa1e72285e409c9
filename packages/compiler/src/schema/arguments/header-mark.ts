import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Target } from "../constraints.js";
import type { DocTag } from "../../jsdoc/doc-comment.js";

/** A field name of HTTP (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** A number that need not be whole has no form that both sides of a connection write alike. */
export function isHeaderType(schema: JsonSchema): boolean {
  return schema.type === "string" || schema.type === "integer" || schema.type === "boolean";
}

/**
 * `@header Region`: clients repeat the argument in the HTTP header `Mcp-Param-Region`, for the servers between
 * them and this one. What has no schema that clients read (a result) is left as it is.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export function markHeader(schema: JsonSchema, tag: DocTag, target: Target): JsonSchema {
  const { derivation, place, type } = target;
  const at = { file: tag.file, start: tag.start, end: tag.end };
  if (derivation.direction === "output") return schema;
  if (!isHeaderName(tag.text)) {
    derivation.report("header-name-invalid", at, { header: tag.text });
    return schema;
  }
  if (!isHeaderType(schema)) {
    const where = derivation.where(place);
    derivation.report("header-type", at, {
      where,
      type: derivation.show(type),
      isNumber: schema.type === "number",
    });
    return schema;
  }
  return { ...schema, "x-mcp-header": tag.text };
}
