import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";

/** One difference between what a server offered before an edit and after it. */
export interface Change {
  kind: "tool" | "prompt" | "resource" | "resource template";
  /** Or the URI. */
  name: string;
  change: "added" | "removed" | "changed";
  /** What is different about it, in words. */
  details: string[];
}

/**
 * Compares what clients see. Order does not matter.
 *
 * @example
 * manifestDiff(before, after)
 * // [{ kind: "tool", name: "forecast", change: "changed", details: ["argument days added"] }]
 */
export function manifestDiff(before: Manifest, after: Manifest): Change[] {
  const name = (definition: { name: string }): string => definition.name;
  return [
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

function details(before: object, after: object): string[] {
  const old: Record<string, unknown> = { ...before };
  const now: Record<string, unknown> = { ...after };
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...fields].flatMap((field) => {
    if (isDeepStrictEqual(old[field], now[field])) return [];
    if (field === "inputSchema") return schemaDetails(old[field] as JsonSchema, now[field] as JsonSchema);
    return [field === "outputSchema" ? "result" : field];
  });
}

function schemaDetails(before: JsonSchema, after: JsonSchema): string[] {
  const old = before.properties ?? {};
  const now = after.properties ?? {};
  const found = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (!Object.hasOwn(old, name)) return [`argument ${name} added`];
    if (!Object.hasOwn(now, name)) return [`argument ${name} removed`];
    if (!isDeepStrictEqual(old[name], now[name])) return [`argument ${name} changed`];
    const isRequired = after.required?.includes(name) ?? false;
    if ((before.required?.includes(name) ?? false) === isRequired) return [];
    return [`argument ${name} is ${isRequired ? "required" : "optional"}`];
  });
  return found.length > 0 ? found : ["arguments"];
}
