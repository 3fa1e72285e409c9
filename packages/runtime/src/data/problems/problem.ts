import type { JsonSchema } from "../../protocol/json-schema.js";

/** Member names and indices, outermost first. */
export type Steps = readonly (string | number)[];

/** One problem of a value. */
export interface Problem {
  /** The path of the value. */
  readonly steps: Steps;
  readonly value: unknown;
  /** The keyword that it does not satisfy, and the schema that has the keyword. */
  readonly keyword: string;
  readonly schema: JsonSchema;
  readonly requirement: Requirement;
  /** The name of a member that is missing or not allowed. */
  readonly member?: string;
}

/**
 * A function that returns the text after "must" in a sentence about the problem; for a missing or unknown member, the
 * text after its name. Called only if the problem is shown.
 *
 * @param noun the name for members of the object, such as `"argument"`
 */
export type Requirement = (noun: string) => string;
