import { toProblemSentence } from "../../data/explanations/problem-sentence.js";
import type { Entries, ServedResource, ServedTemplate } from "../assembly/entries.js";
import { ProtocolError } from "../../api/errors.js";
import type { CallNotes, Call } from "../connection/call.js";
import { ArgumentsError, prepareArguments } from "../../data/conversion/arguments.js";
import { parseUrl } from "../../protocol/parse-url.js";

/** The resource or template of a URI. */
export interface FoundResource {
  readonly target: ServedResource | ServedTemplate;
  /** The arguments for the handler. */
  readonly args: Record<string, unknown>;
}

/** Finds the resource of a URI, otherwise the most specific template that matches it. */
export interface ResourceFinder {
  /**
   * Finds a resource or template, and notes it for observers. The handler of a template decides whether
   * the resource exists.
   *
   * @throws ProtocolError if none is enabled
   */
  find(call: Call, uri: string): FoundResource;
  /**
   * Checks the arguments of a resource.
   *
   * @throws ProtocolError if `authorize` rejects these arguments for the caller
   */
  checkArguments(call: Call, uri: string, found: FoundResource): void;
}

const NOT_A_URI = "it is not a valid URI. Percent-encode special characters, such as a space as %20.";

/** Creates a finder that prefers resources over templates, and specific templates over general ones. */
export function createResourceFinder({ resources, templates, findCurrentUri }: Entries): ResourceFinder {
  const bySpecificity = [...templates.values()].sort(
    (a, b) => b.template.specificity - a.template.specificity,
  );
  const note = (call: Call, uri: string, target: CallNotes["target"]): void => {
    // A modern subscription is about any number of resources.
    if (call.notes !== undefined && call.params.uri === uri) call.notes.target = target;
  };
  return {
    find: (call, uri) => {
      const resource = resources.get(uri) ?? resources.get(findCurrentUri?.(uri) ?? "");
      if (resource?.handler.isEnabled(call) === true) {
        note(call, uri, resource);
        return { target: resource, args: {} };
      }
      let rejection: ArgumentsError | undefined;
      for (const each of bySpecificity) {
        const variables = each.template.match(uri);
        if (variables === undefined || !each.handler.isEnabled(call)) continue;
        if (parseUrl(uri) === undefined)
          throw createResourceNotFoundError(call, uri, `No resource "${truncate(uri)}": ${NOT_A_URI}`);
        try {
          const args = prepareArguments(each.arguments, variables);
          note(call, uri, each);
          return { target: each, args };
        } catch (error) {
          if (!(error instanceof ArgumentsError)) throw error;
          rejection ??= error;
        }
      }
      if (rejection === undefined) throw createResourceNotFoundError(call, uri);
      throw createResourceNotFoundError(
        call,
        uri,
        `No resource "${truncate(uri)}": ${toProblemSentence(rejection.issues)}`,
      );
    },
    checkArguments: (call, uri, { target, args }) => {
      if (!target.handler.allows(call, args)) throw createResourceNotFoundError(call, uri);
    },
  };
}

/** Describes a resource for the log, by its template if its URI contains secrets. */
export function describeResource(target: ServedResource | ServedTemplate | undefined, uri: string): string {
  const isSecret = target !== undefined && "template" in target && target.hasSecrets;
  return `resource "${isSecret ? target.entry.definition.uriTemplate : uri}"`;
}

/** Returns the error for a resource that does not exist, with the code of the client's revision. */
export function createResourceNotFoundError(
  { revision }: Call,
  uri: string,
  message = `No resource "${truncate(uri)}".`,
): ProtocolError {
  return new ProtocolError(revision.resourceNotFound, message, { uri });
}

function truncate(uri: string): string {
  return uri.length > 256 ? `${uri.slice(0, 255)}…` : uri;
}
