/**
 * `resources/list`, `resources/templates/list` and `resources/read`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @module
 */
import { ArgumentsError, prepareArguments } from "../arguments.js";
import { DEFAULT_LIST_TTL_MS } from "../cache-hints.js";
import type { Call } from "../call.js";
import type { ServedResource, ServedTemplate } from "../entries.js";
import { invalidParams, ProtocolError } from "../errors.js";
import type { ListedResource } from "../decorators.js";
import { createList, refuseCursor } from "../lists.js";
import { projectResource } from "../projection.js";
import type { Resource } from "../protocol.js";
import { resourceResult } from "../results.js";
import type { CacheHint } from "../seal.js";
import { handlerFailure, type Method, type MethodSource, settle } from "./method.js";

/** What a resource holds may change between reads and depend on the reader. */
const READ_HINT: CacheHint = { ttlMs: 0, cacheScope: "private" };

export function createResourceMethods(source: MethodSource): Record<string, Method> {
  const { entries, sealOf } = source;
  const ttlMs = source.config.listTtlMs ?? DEFAULT_LIST_TTL_MS;
  const resources = [...entries.resources.values()];
  const templates = [...entries.templates.values()];
  const bySpecificity = templates.toSorted((a, b) => b.template.literalLength - a.template.literalLength);
  const listing = templates.filter((template) => template.list !== undefined);

  const listResources = createList({
    member: "resources",
    entries: resources,
    isEnabled: (resource) => resource.isEnabled(),
    project: (resource, revision) => projectResource(resource.entry.definition, revision),
    ttlMs,
  });
  const listTemplates = createList({
    member: "resourceTemplates",
    entries: templates,
    isEnabled: (template) => template.isEnabled(),
    project: (template, revision) => projectResource(template.entry.definition, revision),
    ttlMs,
  });

  const read = (
    call: Call,
    uri: string,
    target: ServedResource | ServedTemplate,
    args: Record<string, unknown>,
  ): string | Promise<string> =>
    settle(
      () => target.handler.invoke(args, call),
      (value) => {
        const result = resourceResult(value, uri, target.entry.definition.mimeType, call.revision);
        if (result === undefined) throw notFound(call, uri);
        return sealOf(call.revision).cacheable(result.members, READ_HINT, result.meta);
      },
      (error) => handlerFailure(source, error, `resource "${uri}"`, call),
    );

  return {
    "resources/list": (call) => {
      refuseCursor(call.params);
      if (listing.length === 0) return listResources(call.revision, sealOf(call.revision));
      return settle(
        () => listConcrete(listing),
        (listed) => {
          const fixed = resources.filter((each) => each.isEnabled()).map((each) => each.entry.definition);
          const all = withoutDuplicates([...fixed, ...(listed as Resource[])]);
          const texts = all.map((each) => JSON.stringify(projectResource(each, call.revision)));
          const hint: CacheHint = { ttlMs: 0, cacheScope: "private" };
          return sealOf(call.revision).cacheable(`"resources":[${texts.join(",")}]`, hint);
        },
        (error) => handlerFailure(source, error, "list of resources", call),
      );
    },

    "resources/templates/list": (call) => {
      refuseCursor(call.params);
      return listTemplates(call.revision, sealOf(call.revision));
    },

    "resources/read": (call) => {
      const { uri } = call.params;
      if (typeof uri !== "string") throw invalidParams("`uri` must be the URI of a resource.");
      const resource = entries.resources.get(uri);
      if (resource?.isEnabled() === true) return read(call, uri, resource, {});
      let refused: ArgumentsError | undefined;
      for (const template of bySpecificity) {
        const variables = template.isEnabled() ? template.template.match(uri) : undefined;
        if (variables === undefined) continue;
        try {
          return read(call, uri, template, prepareArguments(template.arguments, variables));
        } catch (error) {
          if (!(error instanceof ArgumentsError)) throw error;
          refused ??= error;
        }
      }
      if (refused === undefined) throw notFound(call, uri);
      throw invalidParams(`No resource "${clip(uri)}": ${refused.issues.join("; ")}.`, { uri });
    },
  };
}

async function listConcrete(templates: readonly ServedTemplate[]): Promise<Resource[]> {
  const enabled = templates.filter((template) => template.isEnabled());
  const lists = await Promise.all(
    enabled.map(async (template) => describe(template, await template.list?.())),
  );
  return lists.flat();
}

/** What the author's `list` leaves out is taken from the template. */
function describe(template: ServedTemplate, listed: readonly ListedResource[] = []): Resource[] {
  const { mimeType, annotations, icons } = template.entry.definition;
  return listed.map((resource) => ({
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...resource,
  }));
}

function withoutDuplicates(resources: readonly Resource[]): Resource[] {
  const byUri = new Map<string, Resource>();
  for (const resource of resources) if (!byUri.has(resource.uri)) byUri.set(resource.uri, resource);
  return [...byUri.values()];
}

function notFound(call: Call, uri: string): ProtocolError {
  return new ProtocolError(call.revision.resourceNotFound, `No resource "${clip(uri)}".`, { uri });
}

function clip(uri: string): string {
  return uri.length > 256 ? `${uri.slice(0, 255)}…` : uri;
}
