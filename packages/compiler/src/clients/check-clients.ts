import type { Manifest, ToolEntry } from "@tenon/runtime/manifest";
import { checkedOnly } from "./checked-only.js";
import { FAMILIES, familiesFor, type ClientName, type Effect } from "./families.js";
import { RULES, type RuleName } from "./rules.js";
import { placesIn, type SchemaPlace } from "./schema-places.js";

export interface ClientCheckOptions {
  /** The families to look at. Default: those that take schemas as a server lists them. */
  clients?: readonly ClientName[];
}

/** What clients make of a server's tools. */
export interface ClientReport {
  clients: { name: ClientName; title: string }[];
  tools: ToolReport[];
  /** All definitions together: what a model is given before the first question. */
  total: DefinitionSize;
}

export interface ToolReport extends DefinitionSize {
  name: string;
  findings: ClientFinding[];
  /** What the server checks of arguments beyond the listed schema, a sentence each. */
  checkedOnly: string[];
}

/** How large a definition is, as JSON text. */
export interface DefinitionSize {
  /** In UTF-8. */
  bytes: number;
  /** An estimate: one token for every four bytes. */
  tokens: number;
}

export interface ClientFinding {
  client: ClientName;
  effect: Effect;
  rule: RuleName;
  /** Which of the tool's schemas it is about. */
  of: "arguments" | "result";
  /** Where in the arguments or the result; empty for the whole. */
  path: readonly string[];
  /** The end of a sentence that begins with the place. */
  message: string;
}

/** JSON of schemas and English descriptions come to between 3.5 and 4.5 bytes per token with today's models. */
export const BYTES_PER_TOKEN = 4;

/**
 * Tells, per tool and client family, what would be refused or lost of what a server lists, and what the
 * definitions cost. Knows only what is listed: the server checks arguments all the same.
 *
 * @example
 * checkClients(manifest, { clients: ["gemini"] }).tools[0]?.findings
 * // [{ client: "gemini", effect: "refused", rule: "type-list", of: "arguments", path: ["days"], message: "has a list of types (number, null)" }]
 */
export function checkClients(manifest: Manifest, options: ClientCheckOptions = {}): ClientReport {
  const clients = options.clients ?? familiesFor("portable");
  const tools = manifest.tools.map((entry) => checkTool(entry, clients));
  return {
    clients: clients.map((name) => ({ name, title: FAMILIES[name].title })),
    tools,
    total: sizeOf(tools.reduce((sum, { bytes }) => sum + bytes, 0)),
  };
}

function checkTool(entry: ToolEntry, clients: readonly ClientName[]): ToolReport {
  const { definition } = entry;
  const { name, inputSchema, outputSchema } = definition;
  const [given, returned] = [placesIn(inputSchema), outputSchema ? placesIn(outputSchema) : []];
  const findings = clients.flatMap((client) => [
    ...findingsIn(given, client, "arguments", FAMILIES[client].input),
    ...findingsIn(returned, client, "result", FAMILIES[client].output ?? {}),
  ]);
  return {
    name,
    ...sizeOf(Buffer.byteLength(JSON.stringify(definition))),
    findings,
    checkedOnly: checkedOnly(entry),
  };
}

function findingsIn(
  places: readonly SchemaPlace[],
  client: ClientName,
  of: ClientFinding["of"],
  rules: Partial<Record<RuleName, Effect>>,
): ClientFinding[] {
  return Object.entries(rules).flatMap(([name, effect]) => {
    const rule = name as RuleName;
    return places.flatMap(({ path, ...place }): ClientFinding[] => {
      const message = RULES[rule].find({ ...place, path });
      return message === undefined ? [] : [{ client, effect, rule, of, path, message }];
    });
  });
}

function sizeOf(bytes: number): DefinitionSize {
  return { bytes, tokens: Math.ceil(bytes / BYTES_PER_TOKEN) };
}
