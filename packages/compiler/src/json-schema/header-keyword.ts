/**
 * `x-mcp-header`, the keyword that makes clients repeat an argument in an HTTP header, for intermediary servers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";

/** A field name of HTTP (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Returns whether a text is a valid name of an HTTP header. */
export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns whether headers can carry the values of a schema. Both sides may write fractional numbers differently. */
export function isHeaderType(schema: JsonSchema): boolean {
  return schema.type === "string" || schema.type === "integer" || schema.type === "boolean";
}
