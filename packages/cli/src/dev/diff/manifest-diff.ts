import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Manifest, PromptArgument } from "@tenon/runtime/manifest";
import { schemaDiff, type Detail } from "./schema-diff.js";

/** One difference between what a server offered before an edit and after it. */
export interface Change {
  kind: "server" | "tool" | "prompt" | "resource" | "resource template";
  /** Or the URI; of a server, the name that it has now. */
  name: string;
  change: "added" | "removed" | "changed";
  /** What is different about it. */
  details: Detail[];
}

/**
 * Compares what clients see. Order does not matter.
 *
 * @example
 * manifestDiff(before, after)
 * // [{ kind: "tool", name: "forecast", change: "changed", details: [{ sign: "+", text: "days?: integer" }] }]
 */
export function manifestDiff(before: Manifest, after: Manifest): Change[] {
  const name = (definition: { name: string }): string => definition.name;
  return [
    ...serverChanges(before, after),
    ...compare("tool", before.tools, after.tools, name),
    ...compare("prompt", before.prompts, after.prompts, name),
    ...compare("resource", before.resources, after.resources, ({ uri }) => uri),
    ...compare(
      "resource template",
      before.resourceTemplates,
      after.resourceTemplates,
      ({ uriTemplate }) => uriTemplate,
    ),
  ];
}

/** What clients are told of the server when they connect. */
function serverChanges(before: Manifest, after: Manifest): Change[] {
  const told = ({ server, instructions }: Manifest): object => ({
    ...server,
    ...(instructions !== undefined && { instructions }),
  });
  const found = details(told(before), told(after));
  return found.length > 0
    ? [{ kind: "server", name: after.server.name, change: "changed", details: found }]
    : [];
}

function compare<D extends object>(
  kind: Change["kind"],
  before: readonly { definition: D }[],
  after: readonly { definition: D }[],
  nameOf: (definition: D) => string,
): Change[] {
  const old = new Map(before.map(({ definition }) => [nameOf(definition), definition]));
  const changes = after.flatMap(({ definition }): Change[] => {
    const name = nameOf(definition);
    const previous = old.get(name);
    old.delete(name);
    if (!previous) return [{ kind, name, change: "added", details: [] }];
    if (isDeepStrictEqual(previous, definition)) return [];
    return [{ kind, name, change: "changed", details: details(previous, definition) }];
  });
  const removed = [...old.keys()].map((name): Change => ({ kind, name, change: "removed", details: [] }));
  return [...changes, ...removed];
}

function details(before: object, after: object): Detail[] {
  const old: Record<string, unknown> = { ...before };
  const now: Record<string, unknown> = { ...after };
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...fields].flatMap((field): Detail[] => {
    const [was, is] = [old[field], now[field]];
    if (isDeepStrictEqual(was, is)) return [];
    if (field === "inputSchema") return schemaDiff(was as JsonSchema, is as JsonSchema, "");
    if (field === "outputSchema")
      return schemaDiff(was as JsonSchema | undefined, is as JsonSchema | undefined, "result");
    if (field === "arguments") return promptDetails(was as PromptArgument[], is as PromptArgument[]);
    if (field === "annotations") return memberDetails(was, is);
    return [valueDetail(field, was, is)];
  });
}

function promptDetails(
  before: readonly PromptArgument[] = [],
  after: readonly PromptArgument[] = [],
): Detail[] {
  return schemaDiff(schemaOf(before), schemaOf(after), "");
}

/** As a tool with these arguments would have it. */
function schemaOf(given: readonly PromptArgument[]): JsonSchema {
  const properties = given.map(({ name, description, title }): [string, JsonSchema] => {
    return [name, { type: "string", ...(description && { description }), ...(title && { title }) }];
  });
  const required = given.flatMap(({ name, required }) => (required ? name : []));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function memberDetails(before: unknown, after: unknown): Detail[] {
  const [was, is] = [Object(before) as Record<string, unknown>, Object(after) as Record<string, unknown>];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) =>
    isDeepStrictEqual(was[name], is[name]) ? [] : [valueDetail(name, was[name], is[name])],
  );
}

function valueDetail(name: string, was: unknown, is: unknown): Detail {
  if (is === undefined) return { sign: "-", text: name };
  if (was === undefined) return { sign: "+", text: `${name}: ${JSON.stringify(is)}` };
  return { sign: "~", text: `${name}: ${JSON.stringify(was)} → ${JSON.stringify(is)}` };
}
