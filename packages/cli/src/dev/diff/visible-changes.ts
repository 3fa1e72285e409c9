import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Manifest, Prompt } from "@tenon/runtime/manifest";
import { toArgumentsSchema } from "../../compare/definition-changes.js";
import { findChangedMembers } from "../../compare/json/json-differences.js";
import { type Definition, type EntryPair, pairEntries } from "../../compare/server-description.js";
import type { EntryKind } from "../../project/declared-entries.js";
import { type Detail, describeSchemaChanges } from "./schema-details.js";

/** A change to a server's lists after an edit. */
export interface VisibleChange {
  kind: "server" | "view" | "skill" | EntryKind;
  /** The name or URI; for a server, its new name; for a skill, the path of its folder. */
  name: string;
  change: "added" | "removed" | "changed";
  /** The differences. */
  details: Detail[];
}

/**
 * Compares the lists of two manifests, regardless of their order.
 *
 * @example
 * findVisibleChanges(before, after)
 * // [{ kind: "tool", name: "forecast", change: "changed", details: [{ sign: "+", text: "days?: integer" }] }]
 */
export function findVisibleChanges(before: Manifest, after: Manifest): VisibleChange[] {
  const server = describeMembers(getServerInfo(before), getServerInfo(after));
  return [
    ...(server.length > 0
      ? [{ kind: "server", name: after.server.name, change: "changed", details: server } as const]
      : []),
    ...pairEntries(before, after).flatMap(compareEntries),
    ...compareParts("view", before.views ?? {}, after.views ?? {}),
    ...compareParts("skill", toSkills(before), toSkills(after)),
  ];
}

type Parts = Readonly<Record<string, unknown>>;

function compareParts(kind: "view" | "skill", before: Parts, after: Parts): VisibleChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): VisibleChange[] => {
    const [earlier, current] = [before[name], after[name]];
    const change = earlier === undefined ? "added" : current === undefined ? "removed" : "changed";
    return isDeepStrictEqual(earlier, current) ? [] : [{ kind, name, change, details: [] }];
  });
}

function toSkills({ skills = [] }: Manifest): Parts {
  return Object.fromEntries(skills.map((each) => [each.path, each]));
}

/** Returns the information about the server that clients receive when they connect. */
function getServerInfo({ server, instructions }: Manifest): object {
  return { ...server, ...(instructions !== undefined && { instructions }) };
}

function compareEntries({ kind, name, before, after }: EntryPair): VisibleChange[] {
  if (!before) return [{ kind, name, change: "added", details: [] }];
  if (!after) return [{ kind, name, change: "removed", details: [] }];
  const earlierDefinition = withoutViewUri(before.definition);
  const currentDefinition = withoutViewUri(after.definition);
  const fields = findChangedMembers(earlierDefinition, currentDefinition);
  if (fields.length === 0) return [];
  const [earlier, current]: Readonly<Record<string, unknown>>[] = [
    { ...earlierDefinition },
    { ...currentDefinition },
  ];
  const details = fields.flatMap((field) => describeField(field, earlier?.[field], current?.[field]));
  return [{ kind, name, change: "changed", details }];
}

/** Removes the URI of a view, which contains its hash. Changes to views are reported separately. */
function withoutViewUri(definition: Definition): Definition {
  const { ui, "ui/resourceUri": uri, ...others } = definition._meta ?? {};
  if (uri === undefined) return definition;
  return { ...definition, _meta: { ...others, ui: { ...(ui as object), resourceUri: "" } } };
}

function describeField(field: string, earlier: unknown, current: unknown): Detail[] {
  if (field === "inputSchema") return describeSchemaChanges(earlier as JsonSchema, current as JsonSchema, "");
  if (field === "outputSchema")
    return describeSchemaChanges(
      earlier as JsonSchema | undefined,
      current as JsonSchema | undefined,
      "result",
    );
  if (field === "arguments") {
    const toSchema = (given: unknown): JsonSchema =>
      toArgumentsSchema(given === undefined ? {} : { arguments: given as NonNullable<Prompt["arguments"]> });
    return describeSchemaChanges(toSchema(earlier), toSchema(current), "");
  }
  if (field === "annotations") return describeMembers(Object(earlier) as object, Object(current) as object);
  return [describeValue(field, earlier, current)];
}

function describeMembers(before: object, after: object): Detail[] {
  const [earlier, current]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...after }];
  return findChangedMembers(before, after).map((name) =>
    describeValue(name, earlier?.[name], current?.[name]),
  );
}

function describeValue(name: string, earlier: unknown, current: unknown): Detail {
  if (current === undefined) return { sign: "-", text: name };
  if (earlier === undefined) return { sign: "+", text: `${name}: ${JSON.stringify(current)}` };
  return { sign: "~", text: `${name}: ${JSON.stringify(earlier)} → ${JSON.stringify(current)}` };
}
