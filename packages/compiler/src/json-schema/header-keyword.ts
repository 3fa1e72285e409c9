/**
 * `x-mcp-header`, the keyword that has clients repeat an argument in an HTTP header, for the servers between them and
 * this one.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";

/** A field name of HTTP (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** A number that need not be whole has no form that both sides of a connection write alike. */
export function isHeaderType(schema: JsonSchema): boolean {
  return schema.type === "string" || schema.type === "integer" || schema.type === "boolean";
}
