import type { JsonSchema } from "@tenon/runtime/manifest";
import { parsePointer } from "../json/json-pointer.js";
import type { Schema } from "./schema-change.js";

/** A schema without a reference at its root. */
export interface Resolved {
  readonly schema: Schema;
  /** The last schema that the references lead to, which is the same object for all references to it. */
  readonly target: Schema;
}

/**
 * Follows the references at the root of a schema. Keywords next to a reference are added to its target. A reference
 * that leads nowhere, or out of the document, is kept.
 *
 * @param root the document, which references such as `#/$defs/City` refer to
 */
export function followReferences(schema: Schema, root: Schema): Resolved {
  let current = schema;
  let target = schema;
  const seen = new Set<Schema>();
  while (typeof current === "object" && typeof current.$ref === "string") {
    const { $ref, ...others } = current;
    const next = findTarget($ref, root);
    if (next === undefined || seen.has(next)) break;
    seen.add(next);
    target = next;
    const isAnything = next === true || typeof next !== "object";
    current = isAnything ? (Object.keys(others).length === 0 ? next : others) : { ...next, ...others };
  }
  return { schema: current, target };
}

function findTarget(reference: string, root: Schema): Schema {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let text = reference.slice(1);
  try {
    text = decodeURIComponent(text);
  } catch {
    // A pointer may contain a lone percent sign.
  }
  return parsePointer(text).reduce<unknown>((value, name) => {
    const isNamed = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return isNamed ? (value as Record<string, unknown>)[name] : undefined;
  }, root) as JsonSchema | boolean | undefined;
}
