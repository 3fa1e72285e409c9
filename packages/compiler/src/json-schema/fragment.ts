import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";

/**
 * A type as JSON: its schema, and how valid values are converted to the declared type. All uses of a type share one
 * fragment, so fragments are copied, never changed.
 */
export interface SchemaFragment {
  schema: JsonSchema;
  /** The conversion. Absent if the JSON value already has the declared type. */
  conversion?: Conversion;
  /** A sentence that follows the author's description of the type. It is also the description of a type without one. */
  note?: string;
}

/** The result for a type that JSON cannot carry, after its diagnostic was reported. */
export const UNSUPPORTED: SchemaFragment = Object.freeze({ schema: Object.freeze({}) });

/** The result for a type without possible values. */
export const NEVER: SchemaFragment = Object.freeze({ schema: Object.freeze({ not: Object.freeze({}) }) });
