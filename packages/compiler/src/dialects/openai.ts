/**
 * OpenAI's dialect: its own names for the metadata of views, and the authorization of each tool.
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
import type { AuthDeclaration, ServerModel } from "../model.js";
import type { View } from "../views/view.js";

/** The input of a dialect besides the manifest. */
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
  if (auth && !auth.isOAuth) collector.reporter()("dialect-auth-unsupported", dialects.node, {});
  const optionsByTool = new Map(
    declarations.flatMap(({ kind, name, options }) => (kind === "tool" ? [[name.name, options.openai]] : [])),
  );
  const optionsByView = new Map(views.map(({ name, options }) => [name, options]));
  const hasViews = manifest.views !== undefined;
  return {
    ...manifest,
    tools: manifest.tools.map((entry) => {
      const { definition } = entry;
      const schemes = getSecuritySchemes(entry, auth);
      const texts = optionsByTool.get(definition.name);
      const meta = {
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
