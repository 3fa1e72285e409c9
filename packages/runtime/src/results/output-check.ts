/**
 * Results are held to what was listed before they leave the server.
 * @module
 */
import { describeIssues } from "../explain/issues.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { Validator } from "../validation/validators.js";
import type { OutputChecks } from "../api/define-server.js";
import { jsonText } from "./json-text.js";

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
  readonly validate: Validator;
}

/**
 * Holds data to its output schema.
 *
 * @param json data as it was converted for JSON
 */
export function checkData(json: unknown, { schema, validate }: OutputSchema, refuse: RefuseOutput): void {
  if (validate(json)) return;
  // What JSON leaves out, such as a member that is `undefined`, speaks against nobody.
  const sent: unknown = JSON.parse(jsonText(json));
  if (validate(sent)) return;
  const issues = describeIssues(schema, sent, "member", json);
  refuse(new OutputError(`The returned value does not fit the output schema: ${issues.join("; ")}.`));
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
