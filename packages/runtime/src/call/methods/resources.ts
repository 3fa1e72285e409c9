/**
 * `resources/list`, `resources/templates/list`, and `resources/read`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @module
 */
import { createInvalidParamsError, isNotFoundError } from "../../api/errors.js";
import { getReadHint } from "../../data/results/cache-hints.js";
import { toResourceResult } from "../../data/results/resource-result.js";
import { projectResource } from "../../protocol/projection.js";
import type { Entries, ServedResource, ServedTemplate } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import type { Serve, ServerParts, Target } from "../stages/stage.js";
import { composeHandlers } from "../stages/stages.js";
import { createResourceFinder, createResourceNotFoundError, describeResource } from "./find-resource.js";
import { listWithTemplates } from "./list-resources.js";
import { createList } from "./lists.js";
import { throwHandlerFailure, createListCapability, type Method, type MethodFamily } from "./method.js";

export const resources: MethodFamily = {
  createMethods: (server) => (hasResources(server.entries) ? createResourceMethods(server) : {}),
  getCapabilities: ({ entries }, _revision, announced) =>
    hasResources(entries)
      ? {
          resources: {
            ...(announced?.hasUpdates === true && { subscribe: true }),
            ...createListCapability(announced, "resources"),
          },
        }
      : undefined,
};

function hasResources({ resources, templates }: Entries): boolean {
  return resources.size + templates.size > 0;
}

/** Creates the methods of resources and resource templates. */
export function createResourceMethods(server: ServerParts): Record<string, Method> {
  const { entries, settings } = server;
  const fixed = [...entries.resources.values()];
  const templates = [...entries.templates.values()];
  const finder = createResourceFinder(entries);
  const listingTemplates = templates.filter((template) => template.list !== undefined);
  const areConstant = (served: readonly (ServedResource | ServedTemplate)[]): boolean =>
    served.every(({ handler }) => !handler.canBeDisabled);

  const resourcesHint = settings.getCacheHint(
    "resources",
    listingTemplates.length === 0 && areConstant([...fixed, ...templates]),
  );
  const listResources = createList(
    {
      member: "resources",
      entries: fixed,
      getKey: (resource) => resource.entry.definition.uri,
      project: (resource, revision) => projectResource(resource.entry.definition, revision),
      hint: resourcesHint,
    },
    server,
  );
  const listTemplates = createList(
    {
      member: "resourceTemplates",
      entries: templates,
      getKey: (template) => template.entry.definition.uriTemplate,
      project: (template, revision) => projectResource(template.entry.definition, revision),
      hint: settings.getCacheHint("resourceTemplates", areConstant(templates)),
    },
    server,
  );

  const handlers = composeHandlers([...fixed, ...templates], createTarget, server);

  return {
    "resources/list":
      listingTemplates.length === 0
        ? listResources
        : listWithTemplates(listingTemplates, resourcesHint, server),

    "resources/templates/list": listTemplates,

    "resources/read": function readResource(call) {
      const { uri } = call.params;
      if (typeof uri !== "string") throw createInvalidParamsError("`uri` must be the URI of a resource.");
      const { target, args } = finder.find(call, uri);
      call.arguments = args;
      return (handlers.get(target) as Serve<string>)(call);
    },
  };
}

/** Creates the target of the calls to one resource or template. */
function createTarget(served: ServedResource | ServedTemplate, server: ServerParts): Target {
  const { entry, handler, toJson } = served;
  const { mimeType } = entry.definition;
  const hint = getReadHint(handler.options.cache);
  const retryHint = getReadHint(undefined);
  const readUri = ({ params }: Call): string => params.uri as string;
  const describe = (call: Call): string => describeResource(served, readUri(call));
  return {
    ...served,
    subject: `resource "${getUri(served)}"`,
    member: "contents",
    callsHandler: true,
    invoke: handler.invoke,
    describe,
    createNotFoundError: (call) => createResourceNotFoundError(call, readUri(call)),
    // The arguments were read from the URI when the resource was found.
    readArguments: (call) => call.arguments ?? {},
    toResult: (call, value, revision, reject) => {
      const uri = readUri(call);
      const declared = { uri, mimeType, hasData: entry.output !== undefined, write: toJson };
      const result = toResourceResult(value, declared, revision, reject);
      if (result === undefined) throw createResourceNotFoundError(call, uri);
      return result;
    },
    toFailure: (call, error) => {
      if (isNotFoundError(error)) throw createResourceNotFoundError(call, readUri(call), error.message);
      return throwHandlerFailure(server, error, describe(call), call);
    },
    // A result that depends on a client's answers must not be cached under the URI.
    getCacheHint: (call) => (isRetry(call) ? retryHint : hint),
  };
}

function getUri({ entry }: ServedResource | ServedTemplate): string {
  const { definition } = entry;
  return "uri" in definition ? definition.uri : definition.uriTemplate;
}

/** Returns whether a request carries answers. Its result depends on them, and must not be cached. */
function isRetry(call: Call): boolean {
  return call.params.inputResponses !== undefined || call.params.requestState !== undefined;
}
