import {
  MANIFEST_VERSION,
  type Implementation,
  type Manifest,
  type PromptEntry,
  type ResourceEntry,
  type ResourceTemplateEntry,
  type ToolEntry,
} from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import type { BuildContext } from "./build-context.js";
import { buildPrompt } from "./prompt.js";
import { buildResource, buildResourceTemplate } from "./resource.js";
import { buildTool } from "./tool.js";

/**
 * The manifest of everything that can be served. A declaration with an error is left out, and the
 * diagnostics say why.
 */
export function buildManifest(model: ServerModel, context: BuildContext): Manifest {
  const tools: ToolEntry[] = [];
  const prompts: PromptEntry[] = [];
  const resources: ResourceEntry[] = [];
  const resourceTemplates: ResourceTemplateEntry[] = [];

  for (const declaration of model.declarations) {
    if (declaration.kind === "tool") keep(tools, buildTool(declaration, context));
    else if (declaration.kind === "prompt") keep(prompts, buildPrompt(declaration, context));
    else if (declaration.name.kind === "resource") keep(resources, buildResource(declaration, context));
    else keep(resourceTemplates, buildResourceTemplate(declaration, context));
  }

  const refused = refusedDeclarations(context.collector);
  const served = <Entry extends { definition: { name: string } }>(kind: string, entries: Entry[]): Entry[] =>
    entries.filter((entry) => !refused.has(`${kind} ${entry.definition.name}`));
  const { instructions } = model.config?.plain ?? {};
  return {
    manifestVersion: MANIFEST_VERSION,
    server: implementation(context.project.implementation, model),
    ...(typeof instructions === "string" && { instructions }),
    tools: served("tool", tools).sort(by((entry) => entry.definition.name)),
    prompts: served("prompt", prompts).sort(by((entry) => entry.definition.name)),
    resources: served("resource", resources).sort(by((entry) => entry.definition.uri)),
    resourceTemplates: served("resource template", resourceTemplates).sort(
      by((entry) => entry.definition.uriTemplate),
    ),
  };
}

function keep<Entry>(entries: Entry[], entry: Entry | undefined): void {
  if (entry) entries.push(entry);
}

/**
 * A declaration is refused for any error of its own, whichever phase found it. A taken name refuses only the
 * later of two, which is out of the model already.
 */
function refusedDeclarations(collector: DiagnosticCollector): Set<string> {
  const errors = collector.diagnostics.filter(
    (each) => each.severity === "error" && each.code !== "name-taken",
  );
  return new Set(
    errors.flatMap(({ declaration }) => (declaration ? [`${declaration.kind} ${declaration.name}`] : [])),
  );
}

const PLAIN_FACTS = ["name", "title", "version", "description", "websiteUrl"] as const;

function implementation(fromPackage: Implementation, model: ServerModel): Implementation {
  const plain = model.config?.plain ?? {};
  const said = Object.fromEntries(
    PLAIN_FACTS.flatMap((key) => (typeof plain[key] === "string" ? [[key, plain[key]]] : [])),
  );
  return { ...fromPackage, ...said, ...(Array.isArray(plain.icons) && { icons: plain.icons as never }) };
}

/** Code-unit order, which is the same on every machine. */
function by<Entry>(key: (entry: Entry) => string): (a: Entry, b: Entry) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
