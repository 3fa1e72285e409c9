/**
 * `resources/list`, `resources/templates/list` and `resources/read`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @module
 */
import { isRetry } from "../ask/replay/is-retry.js";
import { type CacheHint, readHint } from "../results/cache-hints.js";
import type { Call } from "../connection/call.js";
import { Invocation } from "../connection/invocation.js";
import { settle } from "../connection/settle.js";
import type { Entries, ServedResource, ServedTemplate } from "../assembly/entries.js";
import { invalidParams, isNotFoundError } from "../api/errors.js";
import type { ListedResource } from "../api/options.js";
import { createResourceFinder, resourceNotFound } from "./find-resource.js";
import { createList } from "./lists.js";
import { projectResource } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import type { Resource, ResourceResult } from "../protocol/specification.js";
import { resourceResult } from "../results/resource-result.js";
import { pageOf } from "./paging.js";
import {
  handlerFailure,
  listCapability,
  type Method,
  type MethodFamily,
  type MethodSource,
} from "./method.js";

export const resources: MethodFamily = {
  methods: (source) => (hasResources(source.entries) ? createResourceMethods(source) : {}),
  capabilities: ({ entries }, _revision, announced) =>
    hasResources(entries)
      ? {
          resources: {
            ...(announced?.updates === true && { subscribe: true }),
            ...listCapability(announced, "resources"),
          },
        }
      : undefined,
};

function hasResources({ resources, templates }: Entries): boolean {
  return resources.size + templates.size > 0;
}

function createResourceMethods(source: MethodSource): Record<string, Method> {
  const { entries, settings, write } = source;
  const fixed = [...entries.resources.values()];
  const templates = [...entries.templates.values()];
  const finder = createResourceFinder(entries);
  const listing = templates.filter((template) => template.list !== undefined);
  const areConstant = (served: readonly (ServedResource | ServedTemplate)[]): boolean =>
    served.every(({ handler }) => !handler.canBeDisabled);

  const resourcesHint = settings.hint(
    "resources",
    listing.length === 0 && areConstant([...fixed, ...templates]),
  );
  const listResources = createList(
    {
      member: "resources",
      entries: fixed,
      keyOf: (resource) => resource.entry.definition.uri,
      project: (resource, revision) => projectResource(resource.entry.definition, revision),
      hint: resourcesHint,
    },
    source,
  );
  const listTemplates = createList(
    {
      member: "resourceTemplates",
      entries: templates,
      keyOf: (template) => template.entry.definition.uriTemplate,
      project: (template, revision) => projectResource(template.entry.definition, revision),
      hint: settings.hint("resourceTemplates", areConstant(templates)),
    },
    source,
  );

  const readHints = new Map<ServedResource | ServedTemplate, CacheHint>(
    [...fixed, ...templates].map((each) => [each, readHint(each.handler.options.cache, uriOf(each))]),
  );

  const read = (call: Call, uri: string): string | Promise<string> => {
    const found = finder.find(call, uri);
    const { target, args } = found;
    const { entry, toJson } = target;
    const { mimeType } = entry.definition;
    const declared = { uri, mimeType, holdsData: entry.output !== undefined, write: toJson };
    const subject = `resource "${uri}"`;
    const toResult = (value: unknown, revision: Revision): ResourceResult => {
      const result = resourceResult(value, declared, revision, source.refusal(subject, call));
      if (result === undefined) throw resourceNotFound(call, uri);
      return result;
    };
    return source.run(new Invocation(call), target, {
      prepare: () => args,
      admit: () => finder.admit(call, uri, found),
      toResult,
      member: "contents",
      accept: toResult,
      toFailure: (error) => {
        if (isNotFoundError(error)) throw resourceNotFound(call, uri, error.message);
        return handlerFailure(source, error, subject, call);
      },
      // What depends on answers must not be given to anyone who asks for the same URI.
      hint: (isRetry(call) ? undefined : readHints.get(target)) ?? readHint(undefined, uri),
    });
  };

  const listAll = (call: Call): string | Promise<string> =>
    settle(
      () => listConcrete(listing, call),
      (listed) => {
        const enabled = fixed
          .filter((each) => each.handler.isEnabled(call))
          .map((each): Listed => ({ resource: each.entry.definition, template: undefined }));
        const all = withoutDuplicates([...enabled, ...(listed as Listed[])]);
        const { params, revision } = call;
        const keyOf = ({ resource }: Listed): string => resource.uri;
        const { shown, cursor } = pageOf("resources", all, keyOf, params, settings.pageSize);
        const items = shown.map((each) => projectResource(withTemplateMembers(each), revision));
        return write(revision, { resources: items, nextCursor: cursor }, { hint: resourcesHint });
      },
      (error) => handlerFailure(source, error, "list of resources", call),
    );

  return {
    "resources/list": listing.length === 0 ? listResources : listAll,

    "resources/templates/list": listTemplates,

    "resources/read": (call) => {
      const { uri } = call.params;
      if (typeof uri !== "string") throw invalidParams("`uri` must be the URI of a resource.");
      return read(call, uri);
    },
  };
}

function uriOf({ entry }: ServedResource | ServedTemplate): string {
  const { definition } = entry;
  return "uri" in definition ? definition.uri : definition.uriTemplate;
}

/** A resource to list, with the template whose `list` has it. */
interface Listed {
  readonly resource: ListedResource;
  readonly template: ServedTemplate | undefined;
}

async function listConcrete(templates: readonly ServedTemplate[], call: Call): Promise<Listed[]> {
  const enabled = templates.filter((template) => template.handler.isEnabled(call));
  const lists = await Promise.all(
    enabled.map(async (template) => {
      const listed = (await template.list?.(call)) ?? [];
      return listed.map((resource): Listed => ({ resource, template }));
    }),
  );
  return lists.flat();
}

/** What the author's `list` leaves out is taken from the template. Of thousands of resources, only a page needs it. */
function withTemplateMembers({ resource, template }: Listed): Resource {
  if (template === undefined) return resource;
  const { mimeType, annotations, icons } = template.entry.definition;
  const listed: Resource = resource;
  return {
    ...listed,
    mimeType: listed.mimeType ?? mimeType,
    annotations: listed.annotations ?? annotations,
    icons: listed.icons ?? icons,
  };
}

function withoutDuplicates(all: readonly Listed[]): readonly Listed[] {
  const uris = new Set<string>();
  return all.filter(({ resource: { uri } }) => uris.size < uris.add(uri).size);
}
