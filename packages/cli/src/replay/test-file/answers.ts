import { toElicitationScript, toMessageScript } from "../../answers/answer-notation.js";
import type { Session } from "../../recording/session.js";
import type { RecordedCall } from "./calls.js";
import { toSource } from "./source-text.js";

/** Returns the option `answers` of a test for the questions of these calls, or an empty string if there are none. */
export function formatAnswers(session: Session, calls: readonly RecordedCall[]): string {
  const exchanges = new Set(calls.map(({ exchange }) => exchange));
  const questions = [
    ...session.questions.filter(({ during }) => during.some((each) => exchanges.has(each))),
    ...calls.flatMap((call) => call.questions),
  ];
  const elicit = questions
    .filter(({ method }) => method === "elicitation/create")
    .map(({ answer }) => toElicitationScript(answer?.result ?? {}));
  const sample = questions
    .filter(({ method }) => method === "sampling/createMessage")
    .map(({ answer }) => toMessageScript(answer?.result ?? {}));
  const roots = questions.findLast(({ method }) => method === "roots/list")?.answer?.result?.["roots"];
  const answers = {
    ...(elicit.length > 0 && { elicit }),
    ...(sample.length > 0 && { sample }),
    ...(roots !== undefined && { roots }),
  };
  return Object.keys(answers).length === 0 ? "" : toSource(answers, "    ", "answers: ".length);
}
