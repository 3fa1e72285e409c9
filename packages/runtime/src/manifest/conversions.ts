/**
 * The parts of the manifest that describe how JSON becomes the declared values, and back.
 * @module
 */
import type { JsonSchema, JsonValue, NumberLimits } from "../protocol/json-schema.js";

/** The validation of arguments, and their conversion to the types that the handler declares. */
export interface Input {
  /** The schema that arguments must satisfy. Absent if it is the listed `inputSchema`. */
  schema?: JsonSchema;
  /** Absent if JSON values need no conversion. */
  conversion?: Conversion;
  /** Targets of `{ kind: "ref" }`, by name. */
  conversions?: Record<string, Conversion>;
}

/** The conversion of the return value of a tool to `content` and `structuredContent`. */
export interface Output {
  /**
   * - `text`: a string, sent as one text block
   * - `structured`: sent as `structuredContent`, plus its JSON as text; `definition.outputSchema` describes it
   * - `content`: the handler returns `Content`, `Content[]`, or a `ToolResult`; an `outputSchema` describes its
   *   `structuredContent`
   * - `mixed`: `content` if the value is content, otherwise `structured`
   * - `none`: nothing is returned
   * - `unknown`: decided by the value, because the declared type is too general
   */
  kind: "text" | "structured" | "content" | "mixed" | "none" | "unknown";
  /**
   * The schema that values must satisfy. Absent if it is the listed `outputSchema`, or there is none. It is not listed if
   * some results have no data.
   */
  schema?: JsonSchema;
  /** Whether members that the schema does not name are sent, because the author wrote the schema. */
  openMembers?: true;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** The pattern of a `bigint` as a string. A schema with this pattern also accepts numbers. */
export const BIGINT_PATTERN = "^-?\\d+$";

/** The conversion of the data of a resource to JSON. It is not listed. */
export interface DataOutput {
  schema: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/**
 * Values that JSON represents as strings. A `date` is a `Date` with its time; a `day` is a `Date` without its time, in
 * UTC. A `file` occurs only in arguments.
 */
const SCALAR_KINDS = ["date", "day", "url", "bigint", "bytes", "regexp", "file"] as const;

export type ScalarKind = (typeof SCALAR_KINDS)[number];

/** The limits of a file in arguments. */
export interface FileLimits {
  /** Maximum size in bytes. */
  maxBytes?: number;
  /** Accepted MIME types, in lower case, such as `image/png` or `image/*`. Absent if all are. */
  accept?: string[];
  /** Whether clients may send a URL that the server downloads, as OpenAI's clients do. */
  remote?: true;
}

/** The limits of a `bigint`, as decimal strings, because numbers in JSON lose digits of large values. */
export type BigintLimits = { [Keyword in keyof NumberLimits]?: string };

/**
 * The conversion between JSON and a richer JavaScript value, from the outside in. Inputs are converted to the
 * JavaScript value after validation; outputs are converted to JSON. A part without a `Conversion` is unchanged.
 *
 * @example
 * // { since: Date; tags: Set<string>; until: Date | null }
 * { kind: "object", properties: { since: { kind: "date" }, tags: { kind: "set" }, until: { kind: "date" } } }
 */
export type Conversion =
  /**
   * A string represents the value; an integer can also represent a bigint. A JSON value of any other type (the `null`
   * of `Date | null`) is unchanged.
   */
  | ScalarPlan
  | { kind: "array"; items: Conversion }
  /**
   * `items` are the first elements, `last` the last ones, and `rest` is between them. An argument without an optional
   * element gets the element from `defaults`, whose names are indexes.
   */
  | {
      kind: "tuple";
      items: (Conversion | null)[];
      rest?: Conversion;
      last?: (Conversion | null)[];
      defaults?: Record<string, JsonValue>;
    }
  /** An array represents the `Set`. */
  | { kind: "set"; items?: Conversion }
  /** An array of `[key, value]` represents the `Map`; with `object`, an object with string keys does. */
  | { kind: "map"; keys?: Conversion; values?: Conversion; object?: true }
  /**
   * A member is converted by its name in `properties`, otherwise by the first of `patterns` that matches its name,
   * otherwise by `additional`. `null` leaves it unchanged.
   */
  | {
      kind: "object";
      properties: Record<string, Conversion | null>;
      patterns?: [pattern: string, convert: Conversion | null][];
      additional?: Conversion;
    }
  /** The first branch whose `when` the JSON value satisfies. `convert: null` leaves it unchanged. */
  | { kind: "union"; branches: { when: JsonSchema; convert: Conversion | null }[] }
  /** An entry of `conversions` in the same `Input` or `Output`, for recursive types. */
  | { kind: "ref"; name: string };

/**
 * The conversion of a value that JSON represents as a string. Only a `bigint` has `limits` and only a `file` has
 * `file`, since schemas cannot express them for strings.
 */
export interface ScalarPlan {
  kind: ScalarKind;
  limits?: BigintLimits;
  file?: FileLimits;
}

/** Returns whether a conversion is for a single value that JSON represents as a string. */
export function isScalarConversion(conversion: Conversion): conversion is ScalarPlan {
  return SCALAR_KINDS.some((kind) => kind === conversion.kind);
}
