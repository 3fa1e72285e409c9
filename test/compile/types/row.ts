import type { Conversion, JsonSchema, JsonValue } from "@tenon/runtime/manifest";

/** One type, what it becomes, and samples that say whether that is the same. */
export interface Row {
  type: string;
  /** Declarations the type needs, before it in the same file. */
  declare?: string;
  /** The listed schema of the type as an input. */
  schema: JsonSchema;
  /** The schema that values are checked against, where it is not the listed one. */
  exact?: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
  /** Codes of the warnings that come with it. */
  warns?: string[];
  accepts: JsonValue[];
  rejects: JsonValue[];
  /** Accepted by the schema only: JSON leaves out what the type has as `undefined`. */
  schemaAccepts?: JsonValue[];
  /** Members of `rejects` that TypeScript accepts and a closed object rejects. */
  closed?: JsonValue[];
  /** JSON represents another value (a Date, an enum member), so TypeScript cannot judge the samples. */
  carried?: true;
}
