import type { ServerLists } from "@tenon/compiler";
import { findNearestName } from "@tenon/runtime/nearest-name";
import { Failure } from "../terminal/failure.js";
import { formatList } from "../terminal/text-format.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/** The target of a call. */
export type Target =
  { kind: "tool"; name: string } | { kind: "prompt"; name: string } | { kind: "resource"; uri: string };

/**
 * Checks that the server has the target, before anything runs.
 *
 * @throws Failure with the nearest name and all valid names
 */
export function checkTarget(target: Target, lists: ServerLists): void {
  if (target.kind === "resource") return;
  const names = (target.kind === "tool" ? lists.tools : lists.prompts).map(({ name }) => name);
  if (!names.includes(target.name)) throw createUnknownNameFailure(target.kind, target.name, names);
}

/** The error code of servers without resources. */
const METHOD_NOT_FOUND = -32601;

/** Creates the failure for an unknown resource. The server may have more resources than it lists. */
export function createUnknownResourceFailure(uri: string, lists: ServerLists, cause: Error): Failure {
  const uris = lists.resources.map((resource) => resource.uri);
  const templates = lists.resourceTemplates.map((template) => template.uriTemplate);
  if (uris.includes(uri))
    return new Failure(cause.message, {
      cause,
      hint: "The server lists this resource, but found no content.",
    });
  const nearest = findNearestName(uri, uris);
  const known = [...uris, ...templates];
  if (known.length === 0 && (cause as { code?: unknown }).code === METHOD_NOT_FOUND)
    return new Failure(`Unknown resource \`${uri}\`. The server has no resources.`, { cause });
  return new Failure(`${cause.message}${nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`}`, {
    cause,
    ...(known.length > 0 && { hint: `The server lists ${formatList(known)}.` }),
  });
}
