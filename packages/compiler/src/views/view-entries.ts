import {
  isVisibleTo,
  VIEW_MIME_TYPE,
  type Manifest,
  type ToolEntry,
  type ViewEntry,
} from "@tenon/runtime/manifest";
import type { ViewOptions } from "@tenon/runtime";
import type { ToolReader, View, ViewSource } from "./view.js";

/**
 * Adds views to a manifest: their resources, and the metadata of the tools that show them. The URIs lack the hashes of the
 * HTML, which does not exist yet.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function addViews(manifest: Manifest, views: readonly View[]): Manifest {
  const viewByTool = new Map(
    views.flatMap((view) => view.tools.map(({ name }) => [name.name, view] as const)),
  );
  const tools = manifest.tools.map((entry) =>
    addToolMetadata(entry, viewByTool.get(entry.definition.name), manifest),
  );
  // A tool that cannot be served shows no view.
  const shown = new Set(tools.flatMap(({ view }) => view ?? []));
  const entries = views
    .filter(({ name }) => shown.has(name))
    .map((view): [string, ViewEntry] => [view.name, { definition: describeView(view, manifest) }])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0
    ? { ...manifest, tools }
    : { ...manifest, tools, views: Object.fromEntries(entries) };
}

function addToolMetadata(entry: ToolEntry, view: View | undefined, manifest: Manifest): ToolEntry {
  const { visibility } = entry;
  if (view === undefined && visibility === undefined) return entry;
  const uri = view && createViewUri(view.name, manifest);
  const ui = { ...(uri !== undefined && { resourceUri: uri }), ...(visibility && { visibility }) };
  const { definition } = entry;
  return {
    ...entry,
    definition: {
      ...definition,
      _meta: {
        ...definition._meta,
        ui,
        // The older name, which some hosts still read.
        ...(uri !== undefined && { "ui/resourceUri": uri }),
      },
    },
    ...(view && { view: view.name }),
  };
}

function describeView(view: View, manifest: Manifest): ViewEntry["definition"] {
  const ui = toResourceMetadata(view.options);
  return {
    uri: createViewUri(view.name, manifest),
    name: view.name,
    mimeType: VIEW_MIME_TYPE,
    ...(Object.keys(ui).length > 0 && { _meta: { ui } }),
  };
}

/** Returns the URI of a view that is not built yet. */
function createViewUri(name: string, { server }: Manifest): string {
  const host = server.name.replaceAll(/[^\w.-]+/g, "-").replace(/^-/, "");
  return `ui://${host}/${name.split("/").map(encodeURIComponent).join("/")}.html`;
}

function toResourceMetadata({
  csp,
  permissions,
  prefersBorder,
  domain,
}: ViewOptions): Record<string, unknown> {
  return {
    ...(csp && { csp }),
    ...(permissions && { permissions: Object.fromEntries(permissions.map((each) => [each, {}])) }),
    ...(prefersBorder !== undefined && { prefersBorder }),
    ...(domain !== undefined && { domain }),
  };
}

/** Returns what the bundler needs to build the views of a manifest. */
export function listViewSources(
  { tools, server, views = {} }: Manifest,
  read: readonly View[],
): ViewSource[] {
  return read.flatMap((view) => {
    const { name, path, kind, framework, options } = view;
    const [first] = view.tools;
    if (views[name] === undefined || first === undefined) return [];
    const showing = tools.filter((each) => each.view === name);
    const shown = showing.map((each) => each.definition.name);
    const readOnly = showing
      .filter((each) => isVisibleTo(each, "app") && each.definition.annotations?.readOnlyHint === true)
      .map((each) => each.definition.name);
    const readers = tools
      .filter((each) => shown.includes(each.definition.name) || isVisibleTo(each, "app"))
      .map((each): [string, ToolReader] => [each.definition.name, chooseReader(each)]);
    return {
      name,
      path,
      kind,
      ...(framework && { framework }),
      title: first.options.title ?? name,
      server: { name: server.name, version: server.version },
      displayModes: options.displayModes ?? ["inline"],
      autoSize: options.autoSize ?? true,
      shown,
      readOnly,
      readers: Object.fromEntries(readers),
      declaration: first.name,
    };
  });
}

function chooseReader({ output, definition: { outputSchema } }: ToolEntry): ToolReader {
  switch (output.kind) {
    case "structured":
      return outputSchema === undefined || outputSchema.type === "object" ? "readData" : "readWrappedData";
    case "text":
      return "readText";
    case "content":
      return outputSchema === undefined ? "readContent" : "readData";
    case "none":
      return "readNothing";
    default:
      return "readAny";
  }
}
