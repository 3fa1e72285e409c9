import type { Answers, Elicitation } from "@tenon/runtime/testing";
import { toPrintable } from "../terminal/printable.js";
import { Failure } from "../terminal/failure.js";
import { toElicitResult, toModelMessage, type ScriptedElicitation } from "../answers/answer-notation.js";
import { formatAcceptedAnswers } from "./answer-text.js";

/** The answers from the command line, and a record of their use. */
export interface ScriptedAnswers {
  readonly answers: Answers;
  /** The elicitations that they answered. */
  readonly answered: readonly Elicitation[];
  /** Returns the number of unused answers. */
  countUnused(): number;
}

/**
 * Creates answers from the values of `--answer`, in order: for a form, a JSON object, `accept`, `decline`, or
 * `cancel`; for sampling, the model's response. When all are used, `others` answers.
 *
 * @throws Failure (exit code 2) if an answer is invalid, or a request remains unanswered
 */
export function createScriptedAnswers(given: readonly string[], others: Answers): ScriptedAnswers {
  const remaining = [...given];
  const answered: Elicitation[] = [];
  const failUnanswered = (question: string): never => {
    throw new Failure(`No answer for: ${toPrintable(question)}`, {
      hint: `Add another --answer after the ${given.length} given.`,
      exitCode: 2,
    });
  };
  const answers: Answers = {
    ...others,
    async elicit(elicitation) {
      const next = remaining.shift();
      if (next === undefined)
        return others.elicit ? others.elicit(elicitation) : failUnanswered(elicitation.message);
      answered.push(elicitation);
      return toElicitResult(readElicitation(next, elicitation));
    },
    async sample(params) {
      const text = remaining.shift();
      if (text === undefined) return others.sample ? others.sample(params) : failUnanswered("sampling");
      return toModelMessage(text, "a person");
    },
  };
  return { answers, answered, countUnused: () => remaining.length };
}

function readElicitation(text: string, question: Elicitation): ScriptedElicitation {
  if (text === "decline" || text === "cancel") return text;
  if (text === "accept") return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const reject = (problem: string): never => {
    throw new Failure(problem, { hint: formatAcceptedAnswers(question), exitCode: 2 });
  };
  if (typeof content !== "object" || content === null || Array.isArray(content))
    return reject(`The answer \`${text}\` is neither a JSON object nor accept, decline, or cancel.`);
  const fields = question.requestedSchema?.properties ?? {};
  // The server ignores other fields, since clients may add them. Here, one is misspelled.
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return reject(`There is no field \`${unknown}\` in this question.`);
  return content;
}
