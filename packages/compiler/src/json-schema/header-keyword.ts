/**
 * `x-mcp-header`, the keyword that makes clients repeat an argument in an HTTP header, for intermediaries such as proxies.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";

/** An HTTP token (RFC 9110, section 5.6.2), which is the syntax of field names. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Returns whether a string is a valid HTTP header name. */
export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns whether headers can carry the values of a schema. Fractional numbers are excluded, because the client and the server may format them differently. */
export function isHeaderType(schema: JsonSchema): boolean {
  return schema.type === "string" || schema.type === "integer" || schema.type === "boolean";
}
