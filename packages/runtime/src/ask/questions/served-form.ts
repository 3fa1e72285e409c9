import type { ArgumentsPlan } from "../../values/arguments.js";
import type { JsonSchema } from "../../protocol/json-schema.js";

/** What a client is shown, and how its answers are read. */
export interface ServedForm {
  readonly requestedSchema: JsonSchema;
  readonly plan: ArgumentsPlan;
}

/** By the id that the compiler gave each call. */
export type Forms = ReadonlyMap<string, ServedForm>;
