import type { Entries, ServedResource, ServedTemplate } from "../assembly/entries.js";
import { ProtocolError } from "../api/errors.js";
import type { Call } from "../connection/call.js";
import { ArgumentsError, prepareArguments } from "../values/arguments.js";

/** What a URI stands for. */
export interface FoundResource {
  readonly target: ServedResource | ServedTemplate;
  /** What the handler is called with. */
  readonly args: Record<string, unknown>;
}

/** Finds the resource of a URI, or the template that it matches with the most that is fixed. */
export interface ResourceFinder {
  /**
   * A template says nothing of whether its handler has something for the URI.
   *
   * @throws ProtocolError when there is none that is enabled
   */
  find(call: Call, uri: string): FoundResource;
  /** @throws ProtocolError where `authorize` refuses the caller these arguments */
  admit(call: Call, uri: string, found: FoundResource): void;
}

const NOT_A_URI = "it is not a valid URI. Write a space as %20, and other characters likewise.";

export function createResourceFinder({ resources, templates }: Entries): ResourceFinder {
  const bySpecificity = [...templates.values()].sort(
    (a, b) => b.template.literalLength - a.template.literalLength,
  );
  return {
    find: (call, uri) => {
      const resource = resources.get(uri);
      if (resource?.handler.isEnabled(call) === true) return { target: resource, args: {} };
      let refused: ArgumentsError | undefined;
      for (const each of bySpecificity) {
        const variables = each.template.match(uri);
        if (variables === undefined || !each.handler.isEnabled(call)) continue;
        if (!URL.canParse(uri)) throw resourceNotFound(call, uri, `No resource "${clip(uri)}": ${NOT_A_URI}`);
        try {
          return { target: each, args: prepareArguments(each.arguments, variables) };
        } catch (error) {
          if (!(error instanceof ArgumentsError)) throw error;
          refused ??= error;
        }
      }
      if (refused === undefined) throw resourceNotFound(call, uri);
      throw resourceNotFound(call, uri, `No resource "${clip(uri)}": ${refused.issues.join("; ")}.`);
    },
    admit: (call, uri, { target, args }) => {
      if (!target.handler.allows(call, args)) throw resourceNotFound(call, uri);
    },
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
