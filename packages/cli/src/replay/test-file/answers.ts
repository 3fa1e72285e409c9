import type { Question, Session } from "../../recording/session.js";
import type { RecordedCall } from "./calls.js";
import { sourceOf } from "./source-text.js";

/** What a test answers to the questions of these calls, as the source of the option `answers`; empty where nothing is asked. */
export function answersText(session: Session, calls: readonly RecordedCall[]): string {
  const made = new Set(calls.map(({ exchange }) => exchange));
  const asked = [
    ...session.questions.filter(({ during }) => during.some((each) => made.has(each))),
    ...calls.flatMap(({ questions }) => questions),
  ];
  const elicit = asked.filter(({ method }) => method === "elicitation/create").map(elicited);
  const sample = asked.filter(({ method }) => method === "sampling/createMessage").map(sampled);
  const roots = asked.findLast(({ method }) => method === "roots/list")?.answer?.result?.["roots"];
  const answers = {
    ...(elicit.length > 0 && { elicit }),
    ...(sample.length > 0 && { sample }),
    ...(roots !== undefined && { roots }),
  };
  return Object.keys(answers).length === 0 ? "" : sourceOf(answers, "    ", "answers: ".length);
}

function elicited({ answer }: Question): unknown {
  const { action, content = {} } = answer?.result ?? {};
  return action === "accept" ? content : action;
}

function sampled({ answer }: Question): unknown {
  const { content, stopReason } = answer?.result ?? {};
  if (content === undefined) return "";
  const { type, text } = content as { type?: unknown; text?: unknown };
  return type === "text" ? text : { content, ...(stopReason !== undefined && { stopReason }) };
}
