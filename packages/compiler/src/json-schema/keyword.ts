import type { Profile } from "@tenon/runtime/manifest";

/**
 * The kind of plain data in a keyword:
 *
 * - `count`: a whole number that is not negative
 * - `names`, `choices`: a list without duplicates; `choices` are not empty
 */
export type KeywordData =
  | "text"
  | "pattern"
  | "flag"
  | "number"
  | "positive"
  | "count"
  | "type"
  | "names"
  | "choices"
  | "list"
  | "anything"
  | "definition";

/** The properties of a keyword that the compiler uses. */
export interface Keyword {
  /**
   * The purpose of the keyword:
   *
   * - `core`: identifies or references a schema
   * - `applicator`: holds schemas for a value, or for parts of it
   * - `assertion`: determines which values are valid
   * - `annotation`: describes values, without affecting which are valid
   */
  role: "core" | "applicator" | "assertion" | "annotation";
  /** The schemas that it holds: one, a list, or one for each name. Absent if it holds plain data. */
  holds?: "schema" | "list" | "map";
  /** The plain data that it holds, as the meta-schema defines it. Absent if it holds schemas, or is never derived. */
  data?: KeywordData;
  /** The types of values that it applies to. Absent if it applies to all. */
  of?: readonly ("string" | "number" | "array" | "object")[];
  /** The profiles whose clients accept it. `portable` accepts every keyword that is derived. */
  acceptedBy?: readonly Exclude<Profile, "portable">[];
  /** Whether it limits values, and is set by the JSDoc tag of the same name. */
  isLimit?: true;
  /** Whether it is a lower or an upper bound. Absent if limits cannot be compared. */
  bound?: "lower" | "upper";
  /** Returns a sentence for clients that do not accept the keyword; undefined if there is nothing to state. */
  toSentence?(value: never): string | undefined;
  /** Returns a short form to display next to a type name: `≥ 3`. */
  toSymbol?(value: never): string;
}
