import { toProblemSentence } from "../explanations/problem-sentence.js";
import { describeIssues } from "../explanations/issues.js";
import { createScope } from "../problems/keywords/table.js";
import { fits } from "../problems/search.js";
import { omitUndeclared } from "./declared-members.js";
import { toWrittenJson } from "./json-text.js";
import { OutputError, type OutputSchema, type RejectOutput } from "./output-check.js";

/**
 * Validates rejected data again in the form in which it would be sent: without undeclared members. Loaded with the
 * first call.
 *
 * @param json the data after its conversion to JSON
 * @param reject receives the problems; undefined if nothing is validated
 * @returns the data as it is sent
 */
export function reconsiderData(
  json: unknown,
  { schema, validators, openMembers }: OutputSchema,
  reject: RejectOutput | undefined,
): unknown {
  // Members that JSON omits, such as those that are `undefined`, are not a problem.
  const written = toWrittenJson(json);
  const sent = openMembers ? written : omitUndeclared(written, schema);
  const scope = createScope(schema, undefined, !openMembers);
  // The validator rejects members of other alternatives.
  const isAccepted =
    reject === undefined || validators.output(sent) || (!openMembers && fits(schema, sent, scope));
  if (!isAccepted) {
    const issues = describeIssues(schema, sent, "member", json, scope);
    reject(
      new OutputError(`The returned value does not fit the output schema: ${toProblemSentence(issues)}`),
    );
  }
  return sent;
}
