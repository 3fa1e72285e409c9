import type { JsonSchema } from "@tenon/runtime/manifest";
import { findTarget, resolveTarget, type Definitions } from "../../json-schema/definitions.js";

/** Replaces a reference at the root with a copy of its definition, since a root must not be a reference. */
export function expandRoot(schema: JsonSchema, defs: Definitions): JsonSchema {
  const { $ref: _, ...rest } = schema;
  const target = findTarget(schema, defs);
  return target ? { ...target, ...rest } : schema;
}

/** Moves the description of the only alternative other than `null` to the root: for `Report | null`, that of `Report`. */
export function withRootDescription(schema: JsonSchema, defs: Definitions): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const [only, ...others] = anyOf.filter(({ type }) => type !== "null");
  if (!only || others.length > 0 || rest.description !== undefined) return schema;
  const { description: own, ...undescribed } = only;
  const description = own ?? resolveTarget(only, defs).description;
  if (description === undefined) return schema;
  return { ...rest, anyOf: anyOf.map((each) => (each === only ? undescribed : each)), description };
}
