import type { ServerLists } from "@tenon/compiler";
import { nearestName } from "@tenon/runtime/nearest-name";
import { Failure } from "../terminal/failure.js";
import { unknownName } from "../terminal/unknown-name.js";

/** What is asked of a server: one of the three things it offers. */
export type Target =
  { kind: "tool"; name: string } | { kind: "prompt"; name: string } | { kind: "resource"; uri: string };

/**
 * Sees that the server has it, before anything is run.
 *
 * @throws Failure with the nearest name and all names there are
 */
export function checkTarget(target: Target, lists: ServerLists): void {
  if (target.kind === "resource") return;
  const names = (target.kind === "tool" ? lists.tools : lists.prompts).map(({ name }) => name);
  if (!names.includes(target.name)) throw unknownName(target.kind, target.name, names);
}

/** What servers without resources answer. */
const METHOD_NOT_FOUND = -32601;

/** What to tell about a resource that the server does not have; it may have more of them than the manifest. */
export function unknownResource(uri: string, lists: ServerLists, cause: Error): Failure {
  const uris = lists.resources.map((resource) => resource.uri);
  const templates = lists.resourceTemplates.map((template) => template.uriTemplate);
  const nearest = nearestName(uri, uris);
  const known = [...uris, ...templates];
  if (known.length === 0 && (cause as { code?: unknown }).code === METHOD_NOT_FOUND)
    return new Failure(`There is no resource \`${uri}\`. The server has none at all.`, { cause });
  return new Failure(`${cause.message}${nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`}`, {
    cause,
    ...(known.length > 0 && { hint: `The resources are ${known.join(", ")}.` }),
  });
}
