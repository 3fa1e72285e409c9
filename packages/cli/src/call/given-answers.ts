import type { Answers, Elicitation } from "@tenon/runtime/testing";
import { printable } from "../remote/printable.js";
import { Failure } from "../terminal/failure.js";
import { acceptedAnswers } from "./answer-text.js";

type ElicitAnswer = Awaited<ReturnType<NonNullable<Answers["elicit"]>>>;

/** Answers that were given beforehand, and what became of them. */
export interface GivenAnswers {
  readonly answers: Answers;
  /** The questions of users that they have answered. */
  readonly answered: readonly Elicitation[];
  /** How many nothing has asked for. */
  unused(): number;
}

/**
 * Answers that the command line gives, one for each question in the order of their coming: to a form, an object in JSON, or
 * `accept`, `decline` or `cancel`; to a model, what it says. What is asked after them is left to others.
 *
 * @throws Failure (exit code 2) from an answer that does not fit, and where nobody is left to answer
 */
export function givenAnswers(given: readonly string[], others: Answers): GivenAnswers {
  const left = [...given];
  const answered: Elicitation[] = [];
  const nobody = (question: string): never => {
    throw new Failure(`Nobody is there to answer: ${printable(question)}`, {
      hint: `Answer it by one more --answer, behind the ${given.length} that you gave.`,
      exitCode: 2,
    });
  };
  const answers: Answers = {
    ...others,
    async elicit(elicitation) {
      const next = left.shift();
      if (next === undefined) return others.elicit ? others.elicit(elicitation) : nobody(elicitation.message);
      answered.push(elicitation);
      return formAnswer(next, elicitation);
    },
    async sample(params) {
      const text = left.shift();
      if (text === undefined) return others.sample ? others.sample(params) : nobody("what a model says");
      return { role: "assistant", model: "a person", content: { type: "text", text }, stopReason: "endTurn" };
    },
  };
  return { answers, answered, unused: () => left.length };
}

function formAnswer(text: string, question: Elicitation): ElicitAnswer {
  if (text === "decline" || text === "cancel") return { action: text };
  if (text === "accept") return { action: "accept", content: {} };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new Failure(`The answer \`${text}\` is no form in JSON, and not accept, decline or cancel.`, {
      hint: acceptedAnswers(question),
      exitCode: 2,
    });
  }
  return { action: "accept", content };
}
