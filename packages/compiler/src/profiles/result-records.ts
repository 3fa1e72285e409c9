import type { JsonSchema } from "@tenon/runtime/manifest";
import { resolveTarget, withDefs } from "../json-schema/definitions.js";
import { listSchemas, mapSchema } from "../json-schema/walk.js";

/**
 * Closes the key patterns of a derived output schema, as in that of `Record<number, Row>`, so that a profile can list the
 * type of the members. The server sends no members with other names.
 *
 * A value that fits several alternatives of a union keeps the members of all of them, so records in such a union remain open.
 *
 * @returns the same object if nothing changed
 */
export function closeRecords(schema: JsonSchema): JsonSchema {
  const { $defs = {} } = schema;
  const isUnclear = listSchemas(schema).some(
    ({ anyOf = [] }) =>
      !areDistinct(anyOf.map((each) => resolveTarget(each, $defs))) &&
      anyOf.some((each) => listSchemas(withDefs(each, $defs)).some(isOpenRecord)),
  );
  return isUnclear ? schema : mapSchema(schema, closeRecord);
}

function isOpenRecord({ patternProperties, additionalProperties }: JsonSchema): boolean {
  return patternProperties !== undefined && additionalProperties === undefined;
}

function closeRecord(schema: JsonSchema): JsonSchema {
  // The names of inherited members are not listed, so that a client would validate them as one of the others.
  const hasInheritedName = Object.keys(schema.properties ?? {}).some((name) => name in Object.prototype);
  return isOpenRecord(schema) && !hasInheritedName ? { ...schema, additionalProperties: false } : schema;
}

/** Returns whether no object or array fits several alternatives of a union. */
function areDistinct(alternatives: readonly JsonSchema[]): boolean {
  const objects = alternatives.filter((each) => allows(each, "object"));
  const arrays = alternatives.filter((each) => allows(each, "array"));
  return arrays.length <= 1 && (objects.length <= 1 || objects.some((first) => distinguish(first, objects)));
}

function allows({ type }: JsonSchema, name: "object" | "array"): boolean {
  return type === undefined || [type].flat().includes(name);
}

/** Returns whether a required member of one alternative has a different value in each. */
function distinguish({ required = [] }: JsonSchema, alternatives: readonly JsonSchema[]): boolean {
  return required.some((name) => {
    const values = alternatives.map((each) =>
      each.required?.includes(name) ? each.properties?.[name]?.enum : undefined,
    );
    const all = values.flatMap((each) => each ?? []);
    return values.every((each) => each !== undefined) && new Set(all).size === all.length;
  });
}
