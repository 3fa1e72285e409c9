/**
 * Validates results against the listed schemas before they are sent.
 * @module
 */
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { Validator } from "../validation/validators.js";

/** An invalid result. The message contains the path and the value, and is meant only for the author of the server. */
export class OutputError extends TypeError {
  override name = "OutputError";

  constructor(message: string) {
    super(message);
    // The stack would only show the runtime, not the origin of the value.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Receives the error of an invalid result, and throws or only logs it. */
export type RejectOutput = (error: OutputError) => void;

/** The schema that data is validated against. */
export interface OutputSchema {
  readonly schema: JsonSchema;
  readonly validators: DataValidators;
  /** Whether members that the schema does not declare are sent, because the author wrote the schema. */
  readonly openMembers: boolean;
}

/** The validators of data. */
export interface DataValidators {
  /** Returns whether data fits the schema and has no undeclared members. */
  readonly output: Validator;
  /** See `reconsiderData` in `reconsider-data.ts`. */
  reconsiderData(json: unknown, output: OutputSchema, reject: RejectOutput | undefined): unknown;
}

/**
 * Returns data as it is sent: without undeclared members, and validated against the schema.
 *
 * @param json the data after its conversion to JSON
 * @param reject undefined if nothing is validated
 */
export function checkData(json: unknown, output: OutputSchema, reject: RejectOutput | undefined): unknown {
  // Undeclared members are rare, and the validator excludes them much faster than a search, so it runs even if nothing
  // is validated.
  if (output.validators.output(json)) return json;
  return output.validators.reconsiderData(json, output, reject);
}
