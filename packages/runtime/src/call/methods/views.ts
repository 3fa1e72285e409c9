/**
 * The methods of servers with views: what clients with and without views see, and the extension that announces views.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @module
 */
import { isVisibleTo, VIEW_EXTENSION, VIEW_MIME_TYPE } from "../../manifest.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { Revision } from "../../protocol/revisions.js";
import type { Tool } from "../../protocol/specification.js";
import type { Entries, ServedResource, ServedTool } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import type { ServerParts } from "../stages/stage.js";
import type { Method, MethodFamily } from "./method.js";
import { createResourceMethods, resources } from "./resources.js";
import { tools } from "./tools.js";

/** The methods of resources, and those of tools for both kinds of clients. */
export const resourcesAndViews: MethodFamily = {
  createMethods,
  getCapabilities: (server, revision, announced) => ({
    ...resources.getCapabilities?.(server, revision, announced),
    ...(hasMetadata(revision) &&
      hasViews(server.entries) && {
        extensions: { [VIEW_EXTENSION]: {} },
      }),
  }),
};

/**
 * Creates the methods. Clients without views see neither views nor the tools that are only for views. They can read views,
 * since some clients load them over another connection.
 */
function createMethods(server: ServerParts): Record<string, Method> {
  const { settings } = server;
  if (!hasViews(server.entries)) return resources.createMethods(server);
  const entries = hideViewsWithTools(server.entries);
  const forClients = {
    ...server,
    entries,
    settings: {
      ...settings,
      // Lists depend on the client.
      getCacheHint: (...list: Parameters<typeof settings.getCacheHint>) => ({
        ...settings.getCacheHint(...list),
        cacheScope: "private" as const,
      }),
    },
  };
  const create = (each: ServerParts): Record<string, Method> => ({
    ...tools.createMethods(each),
    ...createResourceMethods(each),
  });
  const all = create(forClients);
  const text = create({ ...forClients, entries: withoutViews(entries) });
  return Object.fromEntries(
    Object.entries(all).map(([name, method]) => {
      const textMethod = name === "resources/read" ? undefined : text[name];
      return [name, textMethod ? (call) => (showsViews(call) ? method : textMethod)(call) : method];
    }),
  );
}

function hasViews({ resources: served }: Entries): boolean {
  return [...served.values()].some(({ isView }) => isView);
}

/** Hides a view from callers who see none of the tools that show it. */
function hideViewsWithTools(entries: Entries): Entries {
  const hide = (served: ServedResource): ServedResource => {
    if (served.isView !== true) return served;
    const shown = [...entries.tools.values()]
      .filter(({ entry }) => entry.view === served.entry.definition.name)
      .map(({ handler }) => handler);
    if (!shown.every(({ canBeDisabled }) => canBeDisabled)) return served;
    const { handler } = served;
    const options = { cache: { ...handler.options.cache, cacheScope: "private" as const } };
    const isEnabled = (call: Call): boolean => shown.some((each) => each.isEnabled(call));
    return { ...served, handler: { ...handler, options, canBeDisabled: true, isEnabled } };
  };
  return {
    ...entries,
    resources: new Map([...entries.resources].map(([uri, served]) => [uri, hide(served)])),
  };
}

/** Returns whether the client of a call shows views. */
function showsViews({ client, revision }: Call): boolean {
  const { [VIEW_EXTENSION]: support } = client.capabilities.extensions ?? {};
  if (!hasMetadata(revision) || !isObject(support)) return false;
  const { mimeTypes } = support;
  return !Array.isArray(mimeTypes) || mimeTypes.includes(VIEW_MIME_TYPE);
}

/** Returns whether definitions have metadata in a revision. Without it, a tool cannot refer to its view. */
function hasMetadata({ lacks }: Revision): boolean {
  return !lacks.members.includes("_meta");
}

/** Returns the entries for clients without views. */
function withoutViews(entries: Entries): Entries {
  const forModels = [...entries.tools].filter(([, { entry }]) => isVisibleTo(entry, "model"));
  return {
    ...entries,
    tools: new Map(forModels.map(([name, tool]) => [name, withoutView(tool)])),
    resources: new Map([...entries.resources].filter(([, { isView }]) => isView !== true)),
  };
}

function withoutView(tool: ServedTool): ServedTool {
  const { entry } = tool;
  return { ...tool, entry: { ...entry, definition: withoutMetadata(entry.definition) } };
}

/** An older name of `_meta.ui.resourceUri`, which some clients still read. */
const FLAT_KEY = "ui/resourceUri";

function withoutMetadata({ _meta: { ui: _ui, [FLAT_KEY]: _uri, ...others } = {}, ...tool }: Tool): Tool {
  return Object.keys(others).length > 0 ? { ...tool, _meta: others } : tool;
}
