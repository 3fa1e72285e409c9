import { MANIFEST_VERSION, type Form, type Implementation, type Manifest } from "@tenon/runtime/manifest";
import type { ConfigDeclaration } from "../model.js";
import type { BuiltEntry } from "./entry.js";

/** What a manifest holds besides its entries. */
export interface ServerFacts {
  /** From package.json. */
  implementation: Implementation;
  config?: ConfigDeclaration | undefined;
  /** What `Context.elicit` asks for, by id. */
  forms: Record<string, Form>;
  /** The author's code can report that a resource was updated. */
  reportsUpdates: boolean;
}

/** The manifest of a server: entries in the order of their names, whatever order they were found in. */
export function createManifest(built: readonly BuiltEntry[], facts: ServerFacts): Manifest {
  const { implementation, config, forms, reportsUpdates } = facts;
  const hasResources = built.some(({ kind }) => kind === "resource" || kind === "resource template");
  const { instructions } = config?.plain ?? {};
  return {
    manifestVersion: MANIFEST_VERSION,
    server: serverOf(implementation, config),
    ...(typeof instructions === "string" && { instructions }),
    ...(config?.auth && { auth: config.auth.scopes ? { scopes: config.auth.scopes } : {} }),
    ...(config?.rateLimit && { rateLimit: config.rateLimit }),
    tools: entriesOf(built, "tool").sort(by((entry) => entry.definition.name)),
    prompts: entriesOf(built, "prompt").sort(by((entry) => entry.definition.name)),
    resources: entriesOf(built, "resource").sort(by((entry) => entry.definition.uri)),
    resourceTemplates: entriesOf(built, "resource template").sort(
      by((entry) => entry.definition.uriTemplate),
    ),
    ...(reportsUpdates && hasResources && { resourceUpdates: true }),
    ...(Object.keys(forms).length > 0 && { forms }),
  };
}

type EntryOf<Kind extends BuiltEntry["kind"]> = Extract<BuiltEntry, { kind: Kind }>["entry"];

function entriesOf<Kind extends BuiltEntry["kind"]>(
  built: readonly BuiltEntry[],
  kind: Kind,
): EntryOf<Kind>[] {
  return built.flatMap((each) => (each.kind === kind ? [each.entry as EntryOf<Kind>] : []));
}

const PLAIN_FACTS = ["name", "title", "version", "description", "websiteUrl"] as const;

/** What the author says of the server in `defineServer` goes before what package.json says. */
function serverOf(fromPackage: Implementation, config: ConfigDeclaration | undefined): Implementation {
  const plain = config?.plain ?? {};
  const said = Object.fromEntries(
    PLAIN_FACTS.flatMap((key) => (typeof plain[key] === "string" ? [[key, plain[key]]] : [])),
  );
  return { ...fromPackage, ...said, ...(Array.isArray(plain.icons) && { icons: plain.icons as never }) };
}

/** Code-unit order, which is the same on every machine. */
function by<Entry>(key: (entry: Entry) => string): (a: Entry, b: Entry) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
