import type { ArgumentsPlan } from "../../data/conversion/arguments.js";
import type { Validation } from "../application/validation.js";
import type { JsonSchema } from "../../protocol/json-schema.js";

/** A form as a client receives it, and how its replies are read. */
export interface ServedForm {
  readonly requestedSchema: JsonSchema;
  readonly plan: ArgumentsPlan;
}

/** The forms of a server. */
export interface Forms {
  /** The forms that the compiler derived, by the ID of each call to `elicit`. */
  readonly derived: ReadonlyMap<string, ServedForm>;
  /** Validates what users enter. */
  readonly validation: Validation;
}
