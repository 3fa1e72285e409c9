import type { Question } from "@tenon/compiler";
import { formatOutline } from "./type-text.js";

/**
 * Describes a request for input as the object of the verb "asks".
 *
 * @example
 * const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
 * formatQuestion({ method: "elicitation/create", requestedSchema }) // "the user for { name?: string }"
 * formatQuestion({ method: "roots/list" }) // "the client for its roots"
 */
export function formatQuestion({ method, mode, requestedSchema }: Question): string {
  if (method === "sampling/createMessage") return "the client's model for a completion";
  if (method === "roots/list") return "the client for its roots";
  if (mode === "url") return "the user to open a page";
  if (requestedSchema === undefined) return "the user for input that the running server determines";
  const isEmpty = Object.keys(requestedSchema.properties ?? {}).length === 0;
  return isEmpty ? "the user to confirm" : `the user for ${formatOutline(requestedSchema)}`;
}
