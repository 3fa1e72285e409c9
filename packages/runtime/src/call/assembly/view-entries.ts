import type { ResourceContents } from "../../protocol/specification.js";
import { createOutdatedBuildError, getOwnMember } from "../application/lookup.js";
import type { Entries, EntrySource, ServedResource } from "./entries.js";
import { type Handler, OWN_HANDLER } from "./handlers.js";
import { createResourceEntries } from "./resource-entries.js";

/** The time for which clients may keep a view: a day. A different build has different URIs. */
const VIEW_TTL_MS = 86_400_000;

/**
 * Creates the entries of resources, resource templates, and views, which are resources, too. Their HTML is loaded when a
 * client reads it.
 *
 * @throws Error if a view of the manifest was not built
 */
export function createEntriesWithViews(
  source: EntrySource,
): Pick<Entries, "resources" | "templates" | "findCurrentUri"> {
  const { manifest, views = {} } = source.application;
  const entries = createResourceEntries(source);
  const current = new Map<string, string>();
  const resources = Object.entries(manifest.views ?? {}).map(([name, { definition, hash }]) => {
    const view = getOwnMember(views, name);
    if (view === undefined || hash === undefined)
      throw createOutdatedBuildError(`The view "${name}" was not built.`);
    const { uri, mimeType, _meta } = definition;
    current.set(withoutHash(uri), uri);
    const invoke: Handler["invoke"] = async ({ params }) => {
      const { html: text } = await view.load();
      const contents: ResourceContents = {
        uri: params.uri as string,
        ...(mimeType !== undefined && { mimeType }),
        text,
        ...(_meta && { _meta }),
      };
      return { contents: [contents] };
    };
    const served: ServedResource = {
      entry: { definition },
      isView: true,
      handler: { ...HANDLER, invoke },
      toJson: (value) => value,
    };
    return [uri, served] as const;
  });
  return {
    ...entries,
    resources: new Map([...entries.resources, ...resources]),
    findCurrentUri: (uri) => current.get(withoutHash(uri)),
  };
}

/** Removes the hash of any build from the end of a view's URI. */
function withoutHash(uri: string): string {
  return uri.replace(/\.[\da-f]{8}\.html$/, "..html");
}

/** The handler of a view. Every client that sees a tool with the view may read it: see `hideViewsWithTools`. */
const HANDLER: Omit<Handler, "invoke"> = {
  ...OWN_HANDLER,
  options: { cache: { ttlMs: VIEW_TTL_MS, cacheScope: "public" } },
};
