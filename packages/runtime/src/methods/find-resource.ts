import type { ServedResource, ServedTemplate } from "../assembly/entries.js";
import { ProtocolError } from "../api/errors.js";
import type { Call } from "../connection/call.js";
import { handlerFailure, type MethodSource } from "./method.js";
import { ArgumentsError, prepareArguments } from "../values/arguments.js";

/** What a URI stands for. */
export interface FoundResource {
  readonly target: ServedResource | ServedTemplate;
  /** What the handler is called with. */
  readonly args: Record<string, unknown>;
}

/**
 * Finds the resource of a URI, or the template that it matches with the most that is fixed, for a caller who may have it.
 * A template says nothing of whether its handler has something for the URI.
 *
 * @throws ProtocolError, from the returned function, when there is none, or the caller lacks a scope
 */
export function createResourceFinder(source: MethodSource): (call: Call, uri: string) => FoundResource {
  const { resources, templates } = source.entries;
  const bySpecificity = [...templates.values()].sort(
    (a, b) => b.template.literalLength - a.template.literalLength,
  );
  const findEnabled = (call: Call, uri: string): FoundResource => {
    const resource = resources.get(uri);
    if (resource?.handler.isEnabled(call) === true) return { target: resource, args: {} };
    let refused: ArgumentsError | undefined;
    for (const target of bySpecificity) {
      const variables = target.handler.isEnabled(call) ? target.template.match(uri) : undefined;
      if (variables === undefined) continue;
      try {
        return { target, args: prepareArguments(target.arguments, variables) };
      } catch (error) {
        if (!(error instanceof ArgumentsError)) throw error;
        refused ??= error;
      }
    }
    if (refused === undefined) throw resourceNotFound(call, uri);
    throw resourceNotFound(call, uri, `No resource "${clip(uri)}": ${refused.issues.join("; ")}.`);
  };
  return (call, uri) => {
    const found = findEnabled(call, uri);
    try {
      source.authorize(call, found.target.entry);
    } catch (error) {
      return handlerFailure(source, error, `resource "${uri}"`, call);
    }
    if (!found.target.handler.allows(call, found.args)) throw resourceNotFound(call, uri);
    return found;
  };
}

/** The error that the client's revision has for a resource that does not exist. */
export function resourceNotFound(
  { revision }: Call,
  uri: string,
  message = `No resource "${clip(uri)}".`,
): ProtocolError {
  return new ProtocolError(revision.resourceNotFound, message, { uri });
}

function clip(uri: string): string {
  return uri.length > 256 ? `${uri.slice(0, 255)}…` : uri;
}
