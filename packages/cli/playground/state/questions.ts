import { signal, type ReadonlySignal } from "@preact/signals";
import type { CreateMessageParams, CreateMessageResult, Root } from "@tenon/runtime/manifest";
import { answerRequest, type Answers, type Elicitation } from "@tenon/runtime/testing";
import type { ElicitResult } from "../../src/answers/answer-notation.js";

/** A question that waits for the developer's answer. */
export type Question = {
  number: number;
  connection: number;
  /** The call that it belongs to, if known. */
  call: number | undefined;
  withdraw(): void;
} & (
  | { kind: "elicitation"; params: Elicitation; answer(given: ElicitResult): void }
  | { kind: "sampling"; params: CreateMessageParams; answer(given: CreateMessageResult | Error): void }
);

/** An answer that the developer gave. */
export type GivenAnswer =
  | { kind: "elicitation"; message: string; given: ElicitResult }
  | { kind: "sampling"; message: string; given: CreateMessageResult };

export interface Questions {
  /** The open questions, oldest first. */
  readonly open: ReadonlySignal<readonly Question[]>;
  /**
   * Returns the answers for the client of a connection. Each question waits until it is answered on the page.
   *
   * @param findCall returns the call that the question with these parameters belongs to
   */
  createAnswers(connection: number, findCall: (params: object) => number | undefined): Required<Answers>;
  /** Returns the answer to a question of a call that is a task, which also waits until it is answered on the page. */
  answer(from: { connection: number; call: number }, method: string, params: unknown): Promise<unknown>;
  /** Withdraws the questions of a connection whose server has ended. */
  withdraw(connection: number): void;
  /**
   * Withdraws a question whose answer is no longer needed.
   *
   * @param params its parameters, the same object
   */
  withdrawOne(params: unknown): void;
}

type QuestionSource = Pick<Question, "connection" | "call">;

const SERVER_EXITED = "The server exited before its question was answered.";

/**
 * Creates an empty list of questions.
 *
 * @param roots returns the roots when the server requests them
 * @param onAnswer receives each answer and the call that it belongs to
 */
export function createQuestions(
  roots: () => Root[],
  onAnswer: (answer: GivenAnswer, call: number | undefined) => void,
): Questions {
  const open = signal<readonly Question[]>([]);
  let count = 0;

  const close = (number: number): void => {
    open.value = open.value.filter((each) => each.number !== number);
  };
  const withdraw = (matches: (question: Question) => boolean): void => {
    const withdrawn = open.value.filter(matches);
    open.value = open.value.filter((each) => !matches(each));
    for (const each of withdrawn) each.withdraw();
  };

  const ask = <Given extends GivenAnswer["given"]>(
    source: QuestionSource,
    question: Pick<Question, "kind" | "params">,
    message: string,
  ): Promise<Given> =>
    new Promise((resolve, reject) => {
      const number = (count += 1);
      const answer = (given: Given | Error): void => {
        close(number);
        if (given instanceof Error) {
          reject(given);
          return;
        }
        onAnswer({ kind: question.kind, message, given } as GivenAnswer, source.call);
        resolve(given);
      };
      const withdraw = (): void => reject(new Error(SERVER_EXITED));
      open.value = [...open.value, { number, ...source, ...question, answer, withdraw } as Question];
    });

  const createAnswers: Questions["createAnswers"] = (connection, findCall) => ({
    elicit: (params) => {
      const source = { connection, call: findCall(params) };
      return ask<ElicitResult>(source, { kind: "elicitation", params }, params.message);
    },
    sample: (params) => {
      const source = { connection, call: findCall(params) };
      return ask<CreateMessageResult>(source, { kind: "sampling", params }, "");
    },
    get roots() {
      return roots();
    },
  });

  return {
    open,
    createAnswers,
    async answer({ connection, call }, method, params) {
      const answers = createAnswers(connection, () => call);
      return answerRequest(answers, method, params);
    },
    withdraw: (connection) => withdraw((each) => each.connection === connection),
    withdrawOne: (params) => withdraw((each) => each.params === params),
  };
}
