import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";

/**
 * What a type is as JSON: its schema, and how values that fit it become what the type declares. Fragments are shared
 * between the places where a type is used, so they are never changed, only copied.
 */
export interface SchemaFragment {
  schema: JsonSchema;
  /** Absent when the JSON value is already what the type declares. */
  conversion?: Conversion;
}

/** JSON cannot carry the type; its diagnostic has been given. */
export const UNSUPPORTED: SchemaFragment = Object.freeze({ schema: Object.freeze({}) });

/** No value is assignable to the type. */
export const NEVER: SchemaFragment = Object.freeze({ schema: Object.freeze({ not: Object.freeze({}) }) });
