/**
 * OpenAI's dialect: its own names for the metadata of views, the authorization of each tool, and files in arguments.
 *
 * @see https://developers.openai.com/plugins/reference
 * @module
 */
import type { ViewOptions } from "@tenon/runtime";
import {
  isVisibleTo,
  type JsonValue,
  type Manifest,
  type Tool,
  type ToolEntry,
} from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { AuthDeclaration, ServerModel, ToolDeclaration } from "../model.js";
import { addFileParameters, FILE_PARAMETERS } from "./openai-files.js";
import type { View } from "../views/view.js";

/** The input of a dialect in addition to the manifest. */
export interface DialectContext {
  model: ServerModel;
  views: readonly View[];
  collector: DiagnosticCollector;
}

/**
 * Adds the metadata of OpenAI to the tools and views of a manifest if `defineServer` has the dialect. Members of an author's
 * own `meta` stay.
 */
export function addOpenAiDialect(manifest: Manifest, { model, views, collector }: DialectContext): Manifest {
  const { config, declarations } = model;
  const { auth, dialects } = config ?? {};
  if (!dialects?.names.includes("openai")) return manifest;
  if (auth && !auth.isOAuth) collector.createReport()("dialect-auth-unsupported", dialects.node, {});
  const toolsByName = new Map(
    declarations.flatMap((each) => (each.kind === "tool" ? [[each.name.name, each]] : [])),
  );
  const optionsByView = new Map(views.map(({ name, options }) => [name, options]));
  const hasViews = manifest.views !== undefined;
  return {
    ...manifest,
    tools: manifest.tools.map((each) => {
      const tool = toolsByName.get(each.definition.name);
      const { entry, names, nested } = describeFiles(each, tool);
      const { definition } = entry;
      if (tool && nested.length > 0)
        collector.createReport(tool.name)("dialect-file-nested", tool.method.name, {
          tool: definition.name,
          names: nested,
        });
      const schemes = getSecuritySchemes(entry, auth);
      const texts = tool?.options.openai;
      const meta = {
        ...(names.length > 0 && { [FILE_PARAMETERS]: names }),
        ...(hasViews && describeTool(entry)),
        ...prefix("openai/toolInvocation/", { ...texts }),
        ...(schemes && { securitySchemes: schemes }),
        ...definition._meta,
      };
      const extended: Tool & { securitySchemes?: JsonValue } = {
        ...definition,
        ...(schemes && { securitySchemes: schemes }),
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
      };
      return { ...entry, definition: extended };
    }),
    ...(manifest.views && {
      views: Object.fromEntries(
        Object.entries(manifest.views).map(([name, view]) => {
          const meta = { ...describeView(optionsByView.get(name)), ...view.definition._meta };
          const definition = { ...view.definition, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
          return [name, { ...view, definition }];
        }),
      ),
    }),
  };
}

/** Describes the files in arguments, unless the author wrote the schema. */
function describeFiles(
  entry: ToolEntry,
  tool: ToolDeclaration | undefined,
): ReturnType<typeof addFileParameters> {
  return tool?.options.inputSchema ? { entry, names: [], nested: [] } : addFileParameters(entry);
}

/** Returns the authorization of a tool; undefined if OpenAI's clients do not support that of the server. */
function getSecuritySchemes(
  { scopes = [] }: ToolEntry,
  auth: AuthDeclaration | undefined,
): JsonValue[] | undefined {
  if (auth === undefined) return [{ type: "noauth" }];
  return auth.isOAuth ? [{ type: "oauth2", scopes }] : undefined;
}

function describeTool(entry: ToolEntry): Record<string, JsonValue> {
  const { resourceUri } = (entry.definition._meta?.["ui"] ?? {}) as { resourceUri?: string };
  return {
    ...(resourceUri !== undefined && { "openai/outputTemplate": resourceUri }),
    ...(isVisibleTo(entry, "app") && { "openai/widgetAccessible": true }),
    ...(!isVisibleTo(entry, "model") && { "openai/visibility": "private" }),
  };
}

function describeView({ csp, prefersBorder, openai = {} }: Partial<ViewOptions> = {}): Record<
  string,
  JsonValue
> {
  const { description, domain, redirectDomains } = openai;
  const policy = {
    ...(csp?.connectDomains && { connect_domains: csp.connectDomains }),
    ...(csp?.resourceDomains && { resource_domains: csp.resourceDomains }),
    ...(csp?.frameDomains && { frame_domains: csp.frameDomains }),
    ...(redirectDomains && { redirect_domains: redirectDomains }),
  };
  return prefix("openai/widget", {
    Description: description,
    Domain: domain,
    PrefersBorder: prefersBorder,
    CSP: Object.keys(policy).length > 0 ? policy : undefined,
  });
}

/** Returns the members that are set, with a prefix before their names. */
function prefix(
  text: string,
  members: Readonly<Record<string, JsonValue | undefined>>,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[text + name, value]])),
  );
}
