import type { Question } from "@tenon/compiler";
import { outlineText } from "./type-text.js";

/**
 * What a server asks, as the end of a sentence that begins with "asks".
 *
 * @example
 * const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
 * questionText({ method: "elicitation/create", requestedSchema }) // "the user for { name?: string }"
 * questionText({ method: "roots/list" }) // "for the client's folders"
 */
export function questionText({ method, mode, requestedSchema }: Question): string {
  if (method === "sampling/createMessage") return "the client's model";
  if (method === "roots/list") return "for the client's folders";
  if (mode === "url") return "the user to open a page";
  if (requestedSchema === undefined) return "the user for what the running server says";
  const isEmpty = Object.keys(requestedSchema.properties ?? {}).length === 0;
  return isEmpty ? "the user to agree" : `the user for ${outlineText(requestedSchema)}`;
}
