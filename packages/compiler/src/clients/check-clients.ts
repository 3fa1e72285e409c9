import { CHARACTERS_PER_TOKEN, isVisibleTo, type Manifest, type ToolEntry } from "@tenon/runtime/manifest";
import { listServerOnlyConstraints } from "./server-only-constraints.js";
import { FAMILIES, getClientNames, type ClientName, type Effect } from "./families.js";
import { RULES, type RuleName } from "./rules.js";
import { listLocatedSchemas, type LocatedSchema } from "./located-schemas.js";

/** Options of {@link checkClients}. */
export interface ClientCheckOptions {
  /** The families to check. Default: those that accept schemas as a server lists them. */
  clients?: readonly ClientName[];
}

/** How clients handle a server's tools. */
export interface ClientReport {
  clients: { name: ClientName; title: string }[];
  tools: ToolReport[];
  /** The total size of the definitions that models see. A model receives all of them before the first question. */
  total: DefinitionSize;
}

/** How clients handle one tool. */
export interface ToolReport extends DefinitionSize {
  name: string;
  findings: ClientFinding[];
  /** The constraints on arguments that the server validates beyond the listed schema, one sentence for each. */
  checkedOnly: string[];
}

/** The size of a definition as JSON text. */
export interface DefinitionSize {
  /** The size in UTF-8. */
  bytes: number;
  /** An estimate: one token for every four bytes. 0 for a tool that only views see. */
  tokens: number;
}

/** A part of a tool that a family of clients rejects or loses. */
export interface ClientFinding {
  client: ClientName;
  effect: Effect;
  rule: RuleName;
  /** The schema of the tool with the problem. */
  of: "arguments" | "result";
  /** The path in the arguments or the result. Empty for the whole. */
  path: readonly string[];
  /** The end of a sentence that begins with the path. */
  message: string;
}

/**
 * Reports which parts of the listed tools each client family rejects or loses, and the size of the definitions. It
 * examines only the listed schemas. The server validates arguments in any case.
 *
 * @example
 * checkClients(manifest, { clients: ["gemini"] }).tools[0]?.findings
 * // [{ client: "gemini", effect: "rejected", rule: "type-list", of: "arguments", path: ["days"], message: "has a list of types (number, null)" }]
 */
export function checkClients(manifest: Manifest, options: ClientCheckOptions = {}): ClientReport {
  const clients = options.clients ?? getClientNames("portable");
  const tools = manifest.tools.map((entry) => checkTool(entry, clients));
  return {
    clients: clients.map((name) => ({ name, title: FAMILIES[name].title })),
    tools,
    total: toSize(tools.reduce((sum, { bytes, tokens }) => sum + (tokens > 0 ? bytes : 0), 0)),
  };
}

function checkTool(entry: ToolEntry, clients: readonly ClientName[]): ToolReport {
  const { definition } = entry;
  const { name, inputSchema, outputSchema } = definition;
  const [given, returned] = [
    listLocatedSchemas(inputSchema),
    outputSchema ? listLocatedSchemas(outputSchema) : [],
  ];
  const findings = clients.flatMap((client) => [
    ...listFindings(given, client, "arguments", FAMILIES[client].input),
    ...listFindings(returned, client, "result", FAMILIES[client].output ?? {}),
  ]);
  return {
    name,
    ...toSize(Buffer.byteLength(JSON.stringify(definition))),
    ...(!isVisibleTo(entry, "model") && { tokens: 0 }),
    findings,
    checkedOnly: listServerOnlyConstraints(entry),
  };
}

function listFindings(
  schemas: readonly LocatedSchema[],
  client: ClientName,
  of: ClientFinding["of"],
  rules: Partial<Record<RuleName, Effect>>,
): ClientFinding[] {
  return Object.entries(rules).flatMap(([name, effect]) => {
    const rule = name as RuleName;
    return schemas.flatMap((located): ClientFinding[] => {
      const message = RULES[rule].find(located);
      return message === undefined ? [] : [{ client, effect, rule, of, path: located.path, message }];
    });
  });
}

function toSize(bytes: number): DefinitionSize {
  return { bytes, tokens: estimateTokens(bytes) };
}

/**
 * Estimates the number of tokens of JSON in UTF-8: one for every four bytes.
 *
 * @example
 * estimateTokens(402) // 101
 */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / CHARACTERS_PER_TOKEN);
}
