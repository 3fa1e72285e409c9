import type { JsonSchema } from "../protocol/json-schema.js";

/** Member names and indices, outermost first. */
export type Steps = readonly (string | number)[];

/** One thing that is wrong with a value. */
export interface Problem {
  /** Where the value is. */
  readonly steps: Steps;
  readonly value: unknown;
  /** The keyword that it does not satisfy, and the schema that has the keyword. */
  readonly keyword: string;
  readonly schema: JsonSchema;
  readonly requirement: Requirement;
  /** The name of what is missing or must not be there. */
  readonly member?: string;
}

/**
 * What stands after "must" in a sentence about the problem; of a missing or unknown member, what follows its name. Put
 * together only when somebody reads it.
 *
 * @param noun what members of the object are called, such as `"argument"`
 */
export type Requirement = (noun: string) => string;
