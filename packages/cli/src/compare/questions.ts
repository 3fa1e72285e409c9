import type { Question } from "@tenon/compiler";
import { formatQuestion } from "../inspect/question-text.js";
import { breaking, type ContractChange, toContractChanges, safe } from "./effects.js";
import { findMissing } from "./schema/scalar-keywords.js";
import { findSchemaChanges } from "./schema/schema-changes.js";

/** The capability that a client declares to receive each request. */
const CAPABILITIES: Record<Question["method"], string> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/**
 * Returns the differences in the questions of a tool, prompt, or resource. Every additional question may break a client,
 * since the client may be unable to answer it.
 */
export function compareQuestions(before: readonly Question[], after: readonly Question[]): ContractChange[] {
  const removed = findMissing(after, before);
  const added = findMissing(before, after);
  const pairs = added.flatMap((current) => {
    const earlier = removed.find((each) => isSameForm(each, current));
    if (earlier) removed.splice(removed.indexOf(earlier), 1);
    return earlier ? [{ earlier, current }] : [];
  });
  const isPaired = (question: Question): boolean => pairs.some(({ current }) => current === question);
  return [
    ...added.filter((each) => !isPaired(each)).map((each) => describeNewQuestion(each, before)),
    ...pairs.flatMap(({ earlier, current }) =>
      toContractChanges("form", findSchemaChanges(earlier.requestedSchema, current.requestedSchema)),
    ),
    ...removed.map((each) => safe(`no longer asks ${formatQuestion(each)}`)),
  ];
}

/** Returns whether two forms have a common field, so that one may have become the other. */
function isSameForm({ requestedSchema: a }: Question, { requestedSchema: b }: Question): boolean {
  return Object.keys(a?.properties ?? {}).some((name) => b?.properties?.[name] !== undefined);
}

function describeNewQuestion(question: Question, before: readonly Question[]): ContractChange {
  const isKnown = before.some(({ method, mode }) => method === question.method && mode === question.mode);
  const mode = question.mode === "url" ? "URL " : "";
  const needed = isKnown ? "" : `: clients must support ${mode}${CAPABILITIES[question.method]}`;
  return breaking(`now asks ${formatQuestion(question)}${needed}`);
}
