import {
  MANIFEST_VERSION,
  type DeclaredAuth,
  type Form,
  type Implementation,
  type Manifest,
} from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { AuthDeclaration, ConfigDeclaration, ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { readInstructions } from "../read/instructions.js";
import { reportsUpdates } from "../read/resource-updates.js";
import type { BuiltEntry } from "./entry.js";

/** The parts of a manifest, apart from its entries. */
export interface ServerFacts {
  /** From package.json. */
  implementation: Implementation;
  config?: ConfigDeclaration | undefined;
  instructions?: string | undefined;
  /** Elicitation forms by ID. */
  forms: Record<string, Form>;
  /** Whether the author's code can report that a resource was updated. */
  reportsUpdates: boolean;
}

/** Collects the parts of a manifest, apart from its entries. */
export function collectServerFacts(
  { config }: ServerModel,
  { forms }: Pick<ServerFacts, "forms">,
  {
    project,
    runtime,
    collector,
  }: { project: Project; runtime: RuntimeSymbols; collector: DiagnosticCollector },
): ServerFacts {
  return {
    implementation: project.implementation,
    config,
    instructions: readInstructions(config, project, collector),
    forms,
    reportsUpdates: reportsUpdates(project, runtime),
  };
}

/** Creates the manifest of a server, with entries sorted by name. */
export function createManifest(built: readonly BuiltEntry[], facts: ServerFacts): Manifest {
  const { implementation, config, instructions, forms, reportsUpdates } = facts;
  const hasResources = built.some(({ kind }) => kind === "resource" || kind === "resource template");
  return {
    manifestVersion: MANIFEST_VERSION,
    server: describeServer(implementation, config),
    ...(instructions !== undefined && { instructions }),
    ...toToolSearch(config),
    ...(config?.auth && { auth: toDeclaredAuth(config.auth) }),
    ...(config?.rateLimit && { rateLimit: config.rateLimit }),
    tools: getEntries(built, "tool").sort(compareBy((entry) => entry.definition.name)),
    prompts: getEntries(built, "prompt").sort(compareBy((entry) => entry.definition.name)),
    resources: getEntries(built, "resource").sort(compareBy((entry) => entry.definition.uri)),
    resourceTemplates: getEntries(built, "resource template").sort(
      compareBy((entry) => entry.definition.uriTemplate),
    ),
    ...(reportsUpdates && hasResources && { resourceUpdates: true }),
    ...(Object.keys(forms).length > 0 && { forms }),
  };
}

function toToolSearch(config: ConfigDeclaration | undefined): Pick<Manifest, "toolSearch"> {
  const { toolSearch } = config?.plain ?? {};
  if (typeof toolSearch !== "object") return toolSearch === true ? { toolSearch: {} } : {};
  // Options of the wrong type are already reported.
  const always = Array.isArray(toolSearch.always) ? [...new Set(toolSearch.always.map(String))].sort() : [];
  return { toolSearch: { always } };
}

type EntryOf<Kind extends BuiltEntry["kind"]> = Extract<BuiltEntry, { kind: Kind }>["entry"];

function getEntries<Kind extends BuiltEntry["kind"]>(
  built: readonly BuiltEntry[],
  kind: Kind,
): EntryOf<Kind>[] {
  return built.flatMap((each) => (each.kind === kind ? [each.entry as EntryOf<Kind>] : []));
}

const PLAIN_FACTS = ["name", "title", "version", "description", "websiteUrl"] as const;

/** Describes the server. Members of `defineServer` override those in package.json. */
function describeServer(fromPackage: Implementation, config: ConfigDeclaration | undefined): Implementation {
  const plain = config?.plain ?? {};
  const declared = Object.fromEntries(
    PLAIN_FACTS.flatMap((key) => (typeof plain[key] === "string" ? [[key, plain[key]]] : [])),
  );
  return { ...fromPackage, ...declared, ...(Array.isArray(plain.icons) && { icons: plain.icons as never }) };
}

/** Compares by code units, which gives the same order on every machine. */
function compareBy<Entry>(key: (entry: Entry) => string): (a: Entry, b: Entry) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}

function toDeclaredAuth({ issuers, scopes, isConditional }: AuthDeclaration): DeclaredAuth {
  return {
    ...(isConditional && { conditional: true }),
    ...(issuers && { issuers }),
    ...(scopes && { scopes }),
  };
}
