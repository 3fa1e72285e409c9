/**
 * Results are held to what was listed before they leave the server.
 * @module
 */
import { describeIssues } from "../explain/issues.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { Validator } from "../validation/validators.js";
import type { OutputChecks } from "../api/define-server.js";
import { createScope } from "../explain/keywords/table.js";
import { fits } from "../explain/search.js";
import type { KeepDeclared } from "./declared-members.js";
import { writtenJson } from "./json-text.js";

/** A result that is not what was promised. The message says where and what, which is for the server's author alone. */
export class OutputError extends TypeError {
  override name = "OutputError";

  constructor(message: string) {
    super(message);
    // Where the runtime was says nothing about where the value came from.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Takes what is wrong with a result. Throws it, unless it is only to be logged. */
export type RefuseOutput = (error: OutputError) => void;

/** What data is held to. */
export interface OutputSchema {
  readonly schema: JsonSchema;
  /** True for data that fits the schema and has no member that it does not declare. */
  readonly validate: Validator;
  /** Leaves out what the schema does not declare. Undefined where all is sent, because the schema is the author's own. */
  readonly keep: KeepDeclared | undefined;
}

/**
 * Data as it is sent: what its schema does not declare is left out, and the rest is held to the schema.
 *
 * @param json data as it was converted for JSON
 * @param refuse undefined where nothing is checked
 */
export function checkedData(
  json: unknown,
  { schema, validate, keep }: OutputSchema,
  refuse: RefuseOutput | undefined,
): unknown {
  if (refuse === undefined) return keep === undefined ? json : keep(json);
  // There is hardly ever anything to leave out, which the validator knows in a fraction of the time.
  if (validate(json)) return json;
  const kept = keep === undefined ? json : keep(json);
  // What JSON leaves out, such as a member that is `undefined`, speaks against nobody.
  const sent = writtenJson(kept);
  // The validator takes no members of other alternatives.
  if (validate(sent) || (keep !== undefined && fits(schema, sent, createScope(schema)))) return kept;
  const issues = describeIssues(schema, sent, "member", kept);
  refuse(new OutputError(`The returned value does not fit the output schema: ${issues.join("; ")}.`));
  return kept;
}

/**
 * Refuses what a handler of `subject`, such as `tool "current"`, gave in answer to a call. Undefined where nothing is
 * checked.
 */
export type OutputRefusal<Call> = (subject: string, call: Call) => RefuseOutput | undefined;

/** @param reportError writes an error for the author, under a reference */
export function createOutputRefusal<Call>(
  checks: OutputChecks,
  reportError: (error: unknown, subject: string, call: Call) => string,
): OutputRefusal<Call> {
  switch (checks) {
    case "enforce":
      return () => refuse;
    case "log":
      return (subject, call) => (error) => void reportError(error, `output check of ${subject}`, call);
    case "off":
      return () => undefined;
  }
}

function refuse(error: OutputError): never {
  throw error;
}
