import { isDeepStrictEqual } from "node:util";
import type { Question } from "@tenon/compiler";
import { questionText } from "../inspect/question-text.js";
import { NEW, schemaChanges } from "./schema-changes.js";

/** One difference in what a client is asked. */
export interface QuestionChange {
  readonly effect: "breaking" | "safe" | "wording";
  readonly message: string;
}

/** What a client has to declare to be asked. */
const CAPABILITIES: Record<Question["method"], string> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/**
 * In what the questions of a tool, a prompt or a resource differ, for clients that answer them. Who was asked nothing of the
 * kind may not be able to answer, so whatever is asked in addition may break them.
 */
export function questionChanges(before: readonly Question[], after: readonly Question[]): QuestionChange[] {
  const gone = before.filter((each) => !after.some((other) => isDeepStrictEqual(each, other)));
  const added = after.filter((each) => !before.some((other) => isDeepStrictEqual(each, other)));
  const pairs = added.flatMap((is) => {
    const was = gone.find((each) => isSameForm(each, is));
    if (was) gone.splice(gone.indexOf(was), 1);
    return was ? [{ was, is }] : [];
  });
  const isPaired = (question: Question): boolean => pairs.some(({ is }) => is === question);
  return [
    ...added.filter((each) => !isPaired(each)).map((each) => newQuestion(each, before)),
    ...pairs.flatMap(({ was, is }) => formChanges(was, is)),
    ...gone.map((each): QuestionChange => ({
      effect: "safe",
      message: `no longer asks ${questionText(each)}`,
    })),
  ];
}

/** True for forms that have a field in common: one may have become the other. */
function isSameForm({ requestedSchema: a }: Question, { requestedSchema: b }: Question): boolean {
  return Object.keys(a?.properties ?? {}).some((name) => b?.properties?.[name] !== undefined);
}

function newQuestion(question: Question, before: readonly Question[]): QuestionChange {
  const isKnown = before.some(({ method, mode }) => method === question.method && mode === question.mode);
  const form = question.mode === "url" ? " of pages" : "";
  const needed = isKnown ? "" : `: clients need to have ${CAPABILITIES[question.method]}${form}`;
  return { effect: "breaking", message: `now asks ${questionText(question)}${needed}` };
}

/** Clients send answers: fewer that fit is what breaks. */
function formChanges(
  { requestedSchema: was }: Question,
  { requestedSchema: is }: Question,
): QuestionChange[] {
  return schemaChanges(was, is).map(({ change, path, message }): QuestionChange => {
    const subject = path === "" ? "the form" : `\`${path}\` in the form`;
    if (message === NEW) return { effect: "safe", message: `${subject} ${message}` };
    const effect = change === "fewer" ? "breaking" : change === "more" ? "safe" : "wording";
    return { effect, message: `${subject} ${message}` };
  });
}
