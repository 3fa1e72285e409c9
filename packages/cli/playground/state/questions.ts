import { signal, type ReadonlySignal } from "@preact/signals";
import type { CreateMessageParams, CreateMessageResult, Root } from "@tenon/runtime/manifest";
import type { Answers, Elicitation } from "@tenon/runtime/testing";

type ElicitAnswer = Awaited<ReturnType<NonNullable<Answers["elicit"]>>>;

/** What the server waits for a person to answer. */
export type Question = { number: number; connection: number; withdraw(): void } & (
  | { kind: "elicitation"; params: Elicitation; answer(given: ElicitAnswer): void }
  | { kind: "sampling"; params: CreateMessageParams; answer(given: CreateMessageResult | Error): void }
);

/** An answer that a person gave. */
export type GivenAnswer =
  | { kind: "elicitation"; message: string; given: ElicitAnswer }
  | { kind: "sampling"; message: string; given: CreateMessageResult };

export interface Questions {
  /** The oldest first. */
  readonly open: ReadonlySignal<readonly Question[]>;
  /** For the client of a connection: each question waits until it is answered on the page. */
  answersFor(connection: number): Answers;
  /** The server that has asked is gone. */
  withdraw(connection: number): void;
}

const WITHDRAWN = "The server has gone before its question was answered.";

/**
 * @param roots read when the server asks for them
 * @param onGiven sees each answer
 */
export function createQuestions(roots: () => Root[], onGiven: (answer: GivenAnswer) => void): Questions {
  const open = signal<readonly Question[]>([]);
  let count = 0;

  const ask = (question: (number: number) => Question): void => {
    open.value = [...open.value, question((count += 1))];
  };
  const close = (number: number): void => {
    open.value = open.value.filter((each) => each.number !== number);
  };
  return {
    open,
    answersFor: (connection) => ({
      elicit: (params) =>
        new Promise((resolve, reject) => {
          ask((number) => ({
            number,
            connection,
            kind: "elicitation",
            params,
            answer(given) {
              close(number);
              onGiven({ kind: "elicitation", message: params.message, given });
              resolve(given);
            },
            withdraw: () => reject(new Error(WITHDRAWN)),
          }));
        }),
      sample: (params) =>
        new Promise((resolve, reject) => {
          ask((number) => ({
            number,
            connection,
            kind: "sampling",
            params,
            answer(given) {
              close(number);
              if (given instanceof Error) {
                reject(given);
                return;
              }
              onGiven({ kind: "sampling", message: "", given });
              resolve(given);
            },
            withdraw: () => reject(new Error(WITHDRAWN)),
          }));
        }),
      get roots() {
        return roots();
      },
    }),
    withdraw(connection) {
      const gone = open.value.filter((each) => each.connection === connection);
      open.value = open.value.filter((each) => each.connection !== connection);
      for (const each of gone) each.withdraw();
    },
  };
}
