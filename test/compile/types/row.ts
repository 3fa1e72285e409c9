import type { Conversion, JsonSchema, JsonValue } from "@tenon/runtime/manifest";

/** A type, its schema, and samples that show whether both accept the same values. */
export interface Row {
  type: string;
  /** Declarations that the type needs, written before it in the same file. */
  declare?: string;
  /** The listed schema of the type as an input. */
  schema: JsonSchema;
  /** The schema that values are checked against, where it is not the listed one. */
  exact?: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
  /** Codes of its warnings. */
  warns?: string[];
  accepts: JsonValue[];
  rejects: JsonValue[];
  /** Values that only the schema accepts, because JSON omits members that are `undefined`. */
  schemaAccepts?: JsonValue[];
  /** Members of `rejects` that TypeScript accepts and a closed object rejects. */
  closed?: JsonValue[];
  /** JSON represents another value (a Date, an enum member), so TypeScript cannot judge the samples. */
  carried?: true;
}
