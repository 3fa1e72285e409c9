import { type Manifest, VIEW_EXTENSION, VIEW_MIME_TYPE } from "@tenon/runtime/manifest";
import { type Answers, getClientCapabilities } from "@tenon/runtime/testing";
import type { ClientCapabilities } from "@tenon/runtime";

/**
 * Returns the capabilities of the author's client, which may also call tools that are only for views.
 *
 * @param answers the client's answers to requests of the server
 */
export function getAuthorCapabilities(
  { views }: Pick<Manifest, "views">,
  answers: Answers,
): ClientCapabilities {
  const capabilities = getClientCapabilities(answers);
  if (views === undefined) return capabilities;
  return { ...capabilities, extensions: { [VIEW_EXTENSION]: { mimeTypes: [VIEW_MIME_TYPE] } } };
}
